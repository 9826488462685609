"""Sentences to take facts from, and the ways people ask for them as JSON.

Every sentence of a domain holds all its slots. `FIELDS` says what a slot may be called in a schema.
"""

from __future__ import annotations

from training.content.tool_kinds import lines

SENTENCES: dict[str, tuple[str, ...]] = {
    "person": lines("""
        {name} is {age} years old, lives in {city} and works as a {job}.
        {name}, {age}, is a {job} from {city}.
        My neighbor {name} is a {job} in {city} and turned {age} last week.
        At {age}, {name} moved to {city} to work as a {job}.
        The {job} {name} ({age}) comes from {city}.
        In {city} lives a {job} called {name}, aged {age}.
        I met {name} in {city}; {name} is {age} and has a job as a {job}.
        {name} from {city} is {age} and earns a living as a {job}.
        Hi, I'm {name}, {age} years old, a {job} living in {city}.
        My name is {name}. I am {age}, I live in {city} and I work as a {job}.
        A {age}-year-old {job} from {city} named {name} won the prize.
        {name} has been a {job} in {city} for years and is now {age}.
        Our new {job} is {name}, {age}, who grew up in {city}.
        Though only {age}, {name} is already a {job} in {city}.
        The form says: {name}, {age} years, {job}, {city}.
        Working as a {job} in {city}, {name} celebrated a birthday and is {age} now.
        {age} years old and a {job} by trade, {name} calls {city} home.
        Meet {name}! A {job}, {age}, based in {city}.
        name {name}, age {age}, city {city}, job {job}
        {name} became a {job} and settled in {city} at the age of {age}.
        From {city} came {name}, a {job} aged {age}.
        Yesterday I spoke with {name}, who is {age} and a {job} in {city}.
        {city} is where {name}, {age}, works as a {job}.
        I am a {job}. My name is {name}, my age is {age} and my home is {city}.
        the {job} is called {name}, is {age} and lives in {city}
        We interviewed {name} ({age}, {job}) in {city}.
        {name} told us about life as a {job} in {city} at {age}.
        You should talk to {name}, the {job} in {city}. I think {name} is {age}.
        It is not easy to be a {job} at {age}, says {name} from {city}.
        My cousin {name} lives in {city}. Age: {age}. Profession: {job}.
        In our office in {city} sits {name}, our {age} year old {job}.
        {name} - {job} - {city} - {age} years
        Born {age} years ago, {name} has a flat in {city} and a post as {job}.
        {name} introduced herself: {age}, {job}, from {city}.
        For a {job}, {name} is young, just {age}, and comes from {city}.
        If you ever visit {city}, look up {name}, a {job} who is {age}.
        Profile of the week: {name}. Occupation: {job}. Age: {age}. Hometown: {city}.
        The witness, {name}, {age}, employed as a {job}, resides in {city}.
        From {city} we hear that {name}, {age}, has started out as a {job}.
        Being {age} does not stop {name} of {city} from working as a {job}.
        Say hello to {name}: {age} years young, {job}, and proud to live in {city}.
        Some {job} called {name} phoned from {city} and said he is {age}.
        {name} is employed as a {job}. Lives in {city}. {age} years of age.
        According to the paper, a {job}, {name}, aged {age}, was honoured in {city}.
        Applicant: {name} / {age} / {city} / {job}
        When {name} turned {age}, friends from all over {city} came to see the {job}.
    """),
    "order": lines("""
        {name} ordered {quantity} {item} for {price} dollars.
        {name} bought {quantity} {item} at a price of {price}.
        An order from {name}: {quantity} {item}, {price} euros in total.
        We sold {quantity} {item} to {name} for {price}.
        For {price} dollars, {name} got {quantity} {item}.
        {quantity} {item} were sent to {name}, who paid {price}.
        Please send {quantity} {item} to {name}; the price is {price}.
        I'd like {quantity} {item} for {price} euros. My name is {name}.
        {name} paid {price} for {quantity} {item}.
        The customer {name} wants {quantity} {item} and will pay {price}.
        {price} dollars is what {name} spent on {quantity} {item}.
        Order by {name}: item {item}, quantity {quantity}, price {price}.
        Hello, this is {name}. I need {quantity} {item}; I saw they cost {price}.
        Last week {name} took {quantity} {item} for {price} dollars.
        {quantity} pieces of {item} for {name}, that makes {price}.
        Ship {quantity} {item} to {name} and charge {price}.
        customer: {name} / product: {item} / count: {quantity} / total: {price}
        {name} just placed an order for {quantity} {item}, worth {price} dollars.
        The bill for {name} is {price}: {quantity} {item}.
        Somebody called {name} asked for {quantity} {item} and offered {price}.
        For the party {name} picked up {quantity} {item} and spent {price} euros.
        {item}: {quantity} of them went to {name} for {price}.
        It cost {name} {price} dollars to get {quantity} {item}.
        {name} has {quantity} {item} in the cart, {price} altogether.
        {name} got a good deal: {quantity} {item} for only {price}.
        We received {price} from {name} for {quantity} {item}.
        new order {name} {quantity} {item} {price} dollars
        After some thought {name} decided to buy {quantity} {item} for {price}.
        The shop delivered {quantity} {item} to {name} at a cost of {price} euros.
        Write down: {name}, {quantity} {item}, {price}.
        The {item} are for {name}, who ordered {quantity} and owes us {price}.
        A total of {price} was charged to {name} for {quantity} {item}.
        {quantity} x {item} for {name}, total {price}
        {name} purchased {quantity} {item}; the invoice came to {price}.
        Total {price} for {quantity}x {item}, ordered by {name}.
        Could you put {name} down for {quantity} {item}? The sum is {price}.
        {quantity} units of {item} left the warehouse for {name}, billed at {price} euros.
        We owe {name} {quantity} {item}, already paid for with {price} dollars.
        The receipt shows {item} x {quantity}, customer {name}, amount {price}.
        {name} requested {quantity} {item} and settled the bill of {price}.
        Yesterday's purchase by {name} consisted of {quantity} {item} and cost {price}.
        {price} changed hands when {name} collected {quantity} {item}.
        Dear team, {name} would like {quantity} {item}, budget {price}.
        Put {quantity} {item} in a box for {name}. That will be {price} dollars.
        Invoice to {name} - {quantity} {item} - {price} EUR
        Having paid {price}, {name} went home with {quantity} {item}.
        Next customer: {name}. Wants {item}, {quantity} of them. Price agreed: {price}.
    """),
    "event": lines("""
        The {event} takes place in {city} on {date}.
        On {date} there is a {event} in {city}.
        {city} hosts the {event} on {date}.
        Don't miss the {event} in {city} on {date}!
        We meet in {city} on {date} for the {event}.
        The {event} will be held on {date} in {city}.
        Mark your calendar: {event}, {date}, {city}.
        Come to {city}! The {event} starts on {date}.
        I got an invitation to the {event} in {city} on {date}.
        The date of the {event} is {date} and the place is {city}.
        Everyone in {city} is waiting for the {event} on {date}.
        Tickets for the {event} in {city} on {date} are sold out.
        The {event} was moved to {date} and will now be in {city}.
        {date} is the day of the {event} in {city}.
        In {city}, people are getting ready for the {event} of {date}.
        what: {event}, where: {city}, when: {date}
        {event} in {city} on {date}
        My brother plays at the {event} on {date} in {city}.
        This year the {event} is in {city}; it begins on {date}.
        We are planning a {event} for {date}, probably in {city}.
        Are you going to the {event} on {date}? It is in {city}.
        The mayor of {city} opens the {event} on {date}.
        From {date} on you can visit the {event} in {city}.
        Join us for the {event}. Date: {date}. City: {city}.
        Because of the rain, the {event} in {city} was put off until {date}.
        On {date}, {city} is going to have its {event}.
        Nobody told me that the {event} is on {date} in {city}.
        They announced a {event}: {city}, {date}.
        The next {event}, on {date}, brings us to {city}.
        I will be in {city} on {date} because of the {event}.
        If you are in {city} on {date}, go and see the {event}.
        Our {event} is set for {date} and {city} was chosen as the place.
        Save {date} for the {event} over in {city}!
        Folks, the {event} comes to {city} on {date}.
        {city} - {date} - {event}
        On the evening of {date} the {event} opens its doors in {city}.
        Reminder: {event}. Where? {city}. When? {date}.
        As of today the {event} is planned for {date}, with {city} as host.
        People travel to {city} each year for the {event}, this time on {date}.
        We bought tickets for {date}: it's the {event} in {city}.
        You are invited to our {event} ({city}, {date}).
        The organisers picked {city} for the {event} and {date} as its date.
        {date} will see the {event} happen in {city}.
        My calendar shows a {event} in {city} for {date}.
        Unless it rains, the {event} goes ahead in {city} on {date}.
    """),
    "product": lines("""
        The {item} costs {price} dollars and comes in {color}.
        We sell a {color} {item} for {price} euros.
        A {color} {item} is {price} dollars.
        For {price} you get the {item} in {color}.
        This {item} is {color} and its price is {price}.
        New in the shop: {item}, {color}, only {price}!
        The price of the {color} {item} is {price}.
        I bought a {color} {item} for {price}.
        {item} in {color}, {price} dollars
        You can have the {item} in {color} for {price} euros.
        She paid {price} for a {color} {item}.
        product: {item}; color: {color}; price: {price}
        Is {price} too much for a {color} {item}?
        The {item} on the shelf is {color} and sells for {price}.
        Our best seller is the {color} {item} at {price} dollars.
        They want {price} for this {item}. It is {color}.
        Only {price} for a {item}, and it is even {color}!
        In {color}, the {item} is on sale for {price}.
        The color of the {item} is {color}, and it costs {price} euros.
        I saw a {item} in the window, {color}, {price} dollars.
        Take the {color} {item}: it is just {price}.
        A {item} that is {color} will cost you {price}.
        {color} {item} for sale, {price} or best offer
        The catalog lists the {item} ({color}) at {price}.
        Someone left a {color} {item} worth {price} dollars on the bus.
        You asked about the {item}: it is {color} and the price went down to {price}.
        {price} dollars for the {item}, available in {color}.
        My {item} was {color} and I sold it for {price}.
        There is a {item} in {color} here. The tag says {price}.
        The {item} is {color} and priced at {price}.
        At {price}, the {color} {item} is the cheapest one.
        Item {item}, available color {color}, unit price {price}.
        Buy the {item} now: {price} dollars, color {color}.
        {price} euros buys you a {item} finished in {color}.
        The {item} is available for {price}, and the shade is {color}.
        Selling my {item} ({color}) for {price}.
        There's one {item} left, a {color} one, at {price}.
        {item} - {color} - {price}
        How about this {item}? Comes in {color}, costs {price}.
        We have lowered the {item} in {color} to {price} euros.
        At only {price} dollars, this {item} painted {color} is a bargain.
        The label reads: {item}, colour {color}, {price}.
        He charged me {price} for the {item}; at least it was {color}.
        If you want the {item} in {color}, expect to pay {price}.
        Listed today, one {item}, {color}, asking price {price}.
    """),
    "contact": lines("""
        You can reach {name} at {email} or {phone}.
        {name}'s email is {email} and the phone number is {phone}.
        Contact: {name}, {email}, {phone}
        Write to {name} at {email} or call {phone}.
        My name is {name}, my mail address is {email} and my number is {phone}.
        Call {phone} and ask for {name}, or send a mail to {email}.
        {name} ({email}, {phone}) is in charge of this.
        For questions ask {name}: phone {phone}, email {email}.
        The number of {name} is {phone}; the address is {email}.
        {email} belongs to {name}, whose number is {phone}.
        If you need help, {name} can be called on {phone} or mailed at {email}.
        Send the files to {email}. {name} will also answer the phone at {phone}.
        I'm {name}. Email me at {email}, or text me at {phone}.
        {name} changed numbers. The new one is {phone}; the mail is still {email}.
        Please add {name} with {phone} and {email}.
        name={name} email={email} phone={phone}
        This is {name} speaking. Note my number, {phone}, and my mail, {email}.
        {phone} is the number of {name}, and {email} is the mail address.
        Best regards, {name}, {email}, {phone}
        The manager is {name}. Mail: {email}. Phone: {phone}.
        The form lists {name}, phone {phone}, mail {email}.
        Reach out to {name} by phone ({phone}) or by mail ({email}).
        Dial {phone} to talk to {name}; {email} works as well.
        From: {name} <{email}>, tel. {phone}
        Give {name} a ring on {phone}, and if nobody answers write to {email}.
        Do you have the details of {name}? Yes: {email} and {phone}.
        {name} can be found under {email}, or by phone under {phone}.
        In urgent cases ring {name} at {phone}; otherwise {email} is fine.
        Tell {name} about it: {phone}, {email}.
        We lost the card of {name}, but the mail is {email} and the number {phone}.
        Invoices go to {name}, {email}. For calls use {phone}.
        {name} left a message: call back at {phone} or answer to {email}.
        {name} is reachable by mail under {email} and by phone under {phone}.
        To get hold of {name}, try {phone} first and {email} second.
        Tel {phone}, mail {email}, ask for {name}.
        {name} | {phone} | {email}
        New contact details for {name}: {email} / {phone}
        Please forward this to {name} ({email}) and leave a voicemail on {phone}.
        Our agent {name} waits for your call on {phone} or your note to {email}.
        The card says {name}, {phone}, {email}.
        Kind regards {name} -- {phone} -- {email}
        Should something break, mail {email}; {name} picks up {phone} only at night.
        {phone}? That's {name}. You can also use {email}.
        My colleague {name} prefers mail ({email}) over calls ({phone}).
        Address all letters to {name} via {email}, and in a hurry dial {phone}.
        Signed, {name}. Mobile {phone}. Write me: {email}.
    """),
    "trip": lines("""
        {name} travels from {origin} to {destination} on {date}.
        On {date}, {name} flies from {origin} to {destination}.
        {name} is going to {destination} on {date}, starting in {origin}.
        {name} leaves {origin} on {date} and heads for {destination}.
        A ticket for {name}: {origin} to {destination}, {date}.
        The train of {name} goes from {origin} to {destination} on {date}.
        I'm {name} and I want to go from {origin} to {destination} on {date}.
        Book {name} on a flight to {destination} from {origin} for {date}.
        {name} will drive to {destination} on {date}. The trip starts in {origin}.
        From {origin}, {name} sets off to {destination} on {date}.
        {date}: {name}, {origin} - {destination}
        {name} has a trip on {date}, from {origin} to {destination}.
        Passenger {name}, departure {origin}, arrival {destination}, date {date}.
        {name} will be on the way from {origin} to {destination} on {date}.
        {destination} is where {name} is going on {date}, coming from {origin}.
        Tell {name} that the bus from {origin} to {destination} leaves on {date}.
        After a week in {origin}, {name} moves on to {destination} on {date}.
        {name} said goodbye to {origin} and sailed to {destination} on {date}.
        We pick up {name} in {origin} on {date} and drive to {destination}.
        The journey of {name} begins on {date} in {origin} and ends in {destination}.
        On {date} we expect {name} in {destination}, arriving from {origin}.
        {name} walked from {origin} to {destination} and started on {date}.
        My friend {name} lives in {origin} but will come to {destination} on {date}.
        Is it true that {name} rides a bike from {origin} to {destination} on {date}?
        {name} found a cheap flight for {date}: {origin} to {destination}.
        trip of {name}, from {origin}, to {destination}, on {date}
        {name} takes the night train out of {origin} on {date}, bound for {destination}.
        It's a long way from {origin} to {destination}, but {name} leaves on {date}.
        {name} is moving from {origin} to {destination}; the van comes on {date}.
        The company sends {name} from {origin} to {destination} on {date}.
        {name} needs a seat to {destination}, leaving {origin} on {date}.
        Next stop for {name}: {destination}, on {date}, straight from {origin}.
        {origin} to {destination} for {name}, leaving {date}.
        {name} booked a ride out of {origin}, going to {destination}, for {date}.
        Come {date}, {name} will leave {origin} behind and go to {destination}.
        On {date} a plane takes {name} to {destination}; it departs from {origin}.
        {name} > from {origin} > to {destination} > {date}
        The boat from {origin} brings {name} to {destination} on {date}.
        {name} is expected in {destination}. Departure from {origin} is on {date}.
        Leaving {origin} for {destination} on {date} is {name}.
        Next {name} travels to {destination}. Starting point {origin}, day of travel {date}.
        We need a driver for {name} on {date}, {origin} to {destination}.
        {name} wants to get to {destination} from {origin} on {date}.
        Travel request: {name}, {date}, leaving from {origin}, arriving at {destination}.
        It is {date} when {name} swaps {origin} for {destination}.
        Having packed in {origin}, {name} heads to {destination} on {date}.
    """),
    "booking": lines("""
        {name} booked a table for {people} at {restaurant} at {time}.
        A table for {people} people at {restaurant} at {time}, under the name {name}.
        {restaurant} expects {name} with {people} guests at {time}.
        {name} wants to eat at {restaurant} at {time} with a group of {people}.
        Please reserve a table at {restaurant} for {people} at {time}; the name is {name}.
        At {time}, {name} and company, {people} in all, have dinner at {restaurant}.
        Reservation: {restaurant}, {time}, {people} persons, {name}
        {name} has a reservation for {people} at {time} in {restaurant}.
        Hi, this is {name}. We are {people} people and would like to come to {restaurant} at {time}.
        {restaurant} confirmed the table of {name}: {people} people, {time}.
        For {people} people, {name} reserved {restaurant} at {time}.
        It's {name}. Is there a table for {people} at {restaurant} at {time}?
        The party of {people} at {restaurant} at {time} was booked by {name}.
        {people} seats at {restaurant}, {time}, for {name}
        We are meeting at {restaurant} at {time}. {name} booked for {people}.
        {name} called {restaurant} and got a table for {people} at {time}.
        There will be {people} of us at {restaurant} at {time}; ask for {name}.
        At {restaurant} they wrote down {name}, {people} persons, {time}.
        {name} invited everyone to {restaurant} at {time}, so that makes {people} people.
        booking for {name}: {people} at {restaurant}, {time}
        Could {name} have a table for {people} at {time}? The restaurant is {restaurant}.
        Lunch at {restaurant} for {people}, {time}, booked by {name}.
        {time} is fine: {restaurant} keeps a table for {people} for {name}.
        {name} changed the booking at {restaurant} to {people} people at {time}.
        The table at {restaurant} is for {people}, it is booked from {time}, and the name is {name}.
        Waiter at {restaurant}: {people} guests come at {time}, name of {name}.
        Say {name} at the door of {restaurant}; the table for {people} is ready at {time}.
        {name} turned up at {restaurant} at {time} with {people} hungry people.
        Tonight {name} takes a group of {people} to {restaurant} at {time}.
        Party name {name}, party size {people}, place {restaurant}, time {time}.
        Dinner plans: {name}, {restaurant}, {time}, table for {people}.
        {restaurant}, {people} people, {time}, name {name}
        Hold {people} places at {restaurant} from {time} for {name}, please.
        {name} would love to dine at {restaurant} with {people} people at {time}.
        Our group of {people} goes to {restaurant}; {name} made the booking for {time}.
        {time} at {restaurant}: {name} plus guests, {people} altogether.
        A booking came in for {restaurant}. Guest: {name}. Time: {time}. Size: {people}.
        See you at {restaurant}, {time} sharp, {people} of us, under {name}.
        {name} rang to book {people} chairs at {restaurant} for {time}.
        At {time} a party of {people} led by {name} walks into {restaurant}.
        I am {name}; please keep a table at {restaurant}, {people} persons, {time}.
        Table at {restaurant} / {time} / {people} / {name}
        {restaurant} has us down for {time}, {people} diners, in the name of {name}.
        The reservation {name} made at {restaurant} covers {people} guests and begins at {time}.
    """),
    "employment": lines("""
        {name} has worked at {company} as a {job} since {year}.
        In {year}, {name} joined {company} as a {job}.
        {name} is a {job} at {company} and started in {year}.
        {company} hired {name} as a {job} in {year}.
        Since {year}, {company} has employed {name} as a {job}.
        {name} became a {job} at {company} in {year}.
        From {year} on, {name} was a {job} for {company}.
        The {job} {name} came to {company} in {year}.
        I am {name}, {job} at {company} since {year}.
        {year}: {name} starts as a {job} at {company}
        {name} left school and was a {job} with {company} from {year}.
        At {company}, {name} has been the {job} since {year}.
        {name} works for {company}. Position: {job}. Start: {year}.
        It was {year} when {company} made {name} their {job}.
        employee {name}, employer {company}, role {job}, since {year}
        My aunt {name} got a job as a {job} at {company} back in {year}.
        In {year} {company} was looking for a {job} and found {name}.
        {name}, a {job}, signed a contract with {company} in {year}.
        The website of {company} names {name} as {job} since {year}.
        As a {job}, {name} has served {company} since {year}.
        {company} took on {name} as {job} in {year}.
        You may know {name}, the {job} who joined {company} in {year}.
        {name} moved to {company} in {year} to become a {job}.
        They say that {company} took {name} on as a {job} in {year}.
        Work history: {company}, {job}, {year}, {name}.
        {name} has been with {company} since {year}, always as a {job}.
        The career of {name} as a {job} began at {company} in {year}.
        A {job} by the name of {name} was hired in {year} by {company}.
        Ask {name} about {company}: a {job} there since {year}.
        When {name} began at {company} in {year}, it was as a {job}.
        {company} / {name} / {job} / {year}
        {name}: {job} at {company} ({year} to today)
        Back in {year} a {job} called {name} was taken on by {company}.
        {name} earns money as a {job} with {company}, and has since {year}.
        Employed by {company} from {year}: {name}, {job}.
        Our {job}, {name}, has been part of {company} since {year}.
        {year} saw {name} begin as a {job} for {company}.
        {company} is where {name} went in {year} to be a {job}.
        The contract between {company} and {name}, {job}, dates from {year}.
        I know {name}, who started at {company} in {year}; {name} is a {job}.
        {company} lists {name} on its staff page: {job}, hired {year}.
        Hired by {company} in {year}, {name} holds the position of {job}.
        Nobody at {company} has been a {job} longer than {name}, here since {year}.
        {name} took the post of {job} at {company} in {year}.
    """),
    "weather": lines("""
        It is {temperature} degrees and {condition} in {city}.
        In {city} it is {condition} with {temperature} degrees.
        {city}: {condition}, {temperature} degrees
        The weather in {city} is {condition} at {temperature} degrees.
        Today {city} is {condition} and the temperature is {temperature}.
        {temperature} degrees in {city}, {condition}.
        We are in {city}. It is {condition} and {temperature} degrees.
        The day is {condition} in {city}, with a temperature of {temperature} degrees.
        Right now {city} reports: {condition}, {temperature} degrees.
        The forecast for {city} says {condition}, {temperature} degrees.
        With {temperature} degrees, {city} is {condition} this morning.
        My mother says that it is {condition} in {city} and only {temperature} degrees.
        Expect {temperature} degrees in {city}; it will be {condition}.
        Outside it is {condition}. The thermometer in {city} shows {temperature}.
        How is {city}? It's {condition}, and {temperature} degrees.
        city {city} temperature {temperature} condition {condition}
        The temperature in {city} reached {temperature} degrees; it was {condition}.
        Yesterday it was {condition} in {city}, at {temperature} degrees.
        {city} wakes up; it is {condition} and has {temperature} degrees.
        Here in {city} the sky is {condition} and we have {temperature} degrees.
        Weather report: {city}, {temperature} degrees, {condition}.
        {condition} in {city} today, {temperature} degrees
        At {temperature} degrees it feels nice in {city}, even though it is {condition}.
        The game in {city} was played while it was {condition}, at {temperature} degrees.
        I just landed in {city}: {temperature} degrees, {condition}.
        The people of {city} had a night that was {condition}, with {temperature} degrees.
        Tomorrow it will be {condition} in {city} with about {temperature} degrees.
        It got {condition} in {city} and the temperature went to {temperature}.
        Take a look at {city}: {condition} and {temperature} degrees at noon.
        The radio said {temperature} degrees and {condition} for {city}.
        For a winter day, {temperature} degrees and {condition} is normal in {city}.
        Still {condition} in {city}. Temperature: {temperature}.
        {city} - {temperature} degrees - {condition}
        {city} is {condition} today, temperature {temperature}.
        Current conditions in {city}: {condition}, {temperature} C.
        It's {temperature} C and {condition} over in {city}.
        Thermometers read {temperature} in {city}, where it is {condition}.
        {temperature} degrees: that is what {city} gets today, and it is {condition} too.
        They promised that {city} will be {condition} with {temperature} degrees at best.
        A friend wrote from {city} that it was {condition}, {temperature} degrees.
        Conditions turned {condition} in {city} as the mercury hit {temperature}.
        This afternoon: {condition} with {temperature} degrees in {city}.
        Pack for {city}! It will be {condition} and {temperature} degrees.
        Over {city} the weather stays {condition}; the temperature is {temperature} degrees.
        In {city} we measured {temperature} degrees. The weather was {condition}.
        It is always {condition} in {city}, {temperature} degrees at most.
    """),
    "payment": lines("""
        {sender} paid {receiver} {amount} dollars.
        {sender} sent {amount} to {receiver}.
        {receiver} received {amount} euros from {sender}.
        {amount} dollars went from {sender} to {receiver}.
        A transfer of {amount} from {sender} to {receiver} was made.
        {sender} owes {receiver} {amount} and paid it today.
        {receiver} got {amount} from {sender}.
        Please transfer {amount} from {sender} to {receiver}.
        {sender} gave {receiver} {amount} dollars for lunch.
        The payment of {amount} by {sender} to {receiver} arrived.
        {receiver} says that {sender} has paid {amount}.
        From: {sender}. To: {receiver}. Amount: {amount}.
        {sender} wired {amount} euros to the account of {receiver}.
        To {receiver}, {sender} handed over {amount} in cash.
        The bank moved {amount} from the account of {sender} to that of {receiver}.
        Yesterday {amount} was sent to {receiver} by {sender}.
        {receiver} was paid {amount} by {sender}.
        {sender} -> {receiver}: {amount}
        I saw {sender} give {amount} to {receiver}.
        {sender} refunded {receiver} {amount} dollars.
        For the rent, {receiver} gets {amount} from {sender} every month.
        {amount} is what {sender} transferred to {receiver}.
        It was {sender} who sent {receiver} the {amount} euros.
        {receiver} thanked {sender} for the {amount} dollars.
        sender {sender} receiver {receiver} amount {amount}
        Receipt: {receiver} has received {amount} from {sender}.
        After the trip {sender} settled up and paid {amount} to {receiver}.
        {sender} donated {amount} dollars to {receiver}.
        A check over {amount}, signed by {sender}, was given to {receiver}.
        {receiver} waited long for the {amount} that {sender} finally paid.
        Out of kindness {sender} let {receiver} have {amount}.
        {amount} from {sender} for {receiver}
        {receiver} just got {amount} dollars; they came from {sender}.
        Payment received by {receiver}: {amount}. Paid by: {sender}.
        {sender} reimbursed {receiver} with {amount} euros.
        To settle a debt, {sender} gave {amount} to {receiver}.
        Credit {receiver} with {amount} and debit {sender}.
        The {amount} dollars {sender} promised have reached {receiver}.
        {sender} spent {amount}, all of which {receiver} pocketed.
        Money moved: {amount}, payer {sender}, payee {receiver}.
        {receiver} invoiced {sender}, who remitted {amount}.
        On payday {sender} hands {receiver} {amount} euros.
        An amount of {amount} was deposited for {receiver} by {sender}.
        Payer | Payee | Sum: {sender} | {receiver} | {amount}
        Did {receiver} thank {sender} for sending {amount}?
    """),
    "pet": lines("""
        {owner} has a {animal} named {pet} that is {age} years old.
        {pet} is a {age}-year-old {animal} and belongs to {owner}.
        The {animal} of {owner} is called {pet} and is {age}.
        {owner}'s {animal} {pet} is {age} years old.
        My name is {owner} and my {animal} {pet} is {age}.
        {pet}, a {animal} of {age} years, lives with {owner}.
        {owner} brought {pet} to the vet, a {animal} aged {age}.
        At {age} years, {pet} is not young any more; it is a {animal} and belongs to {owner}.
        The owner of {pet} is {owner}; the {animal} is {age} years old.
        {owner} got a {animal}, called it {pet}, and now it is {age}.
        pet: {pet}, animal: {animal}, age: {age}, owner: {owner}
        Our patient today is {pet}, {animal}, {age} years, owner {owner}.
        Have you met {pet}? It's the {animal} of {owner} and {age} years old.
        {owner} loves {pet}, a {age} year old {animal}.
        A {animal} named {pet} ({age}) was returned to {owner}.
        {pet} the {animal} turned {age}, and {owner} baked a cake.
        Every day {owner} feeds {pet}, the {animal}, which is {age}.
        {owner} is looking for a {animal}: {pet}, {age} years old, ran away.
        The {animal} {pet} is {age} and sleeps in the house of {owner}.
        Only {owner} can ride {pet}, the {age}-year-old {animal}.
        {owner} keeps a {animal}. Its name is {pet} and its age is {age}.
        The shelter gave {owner} a {animal} of {age} years with the name {pet}.
        I take care of {pet} while {owner} is away; {pet} is a {animal} and {age}.
        {pet} is {age}. {pet} is a {animal}. {owner} is the owner.
        The vet wrote: {animal}, {age} years, {pet}, brought in by {owner}.
        {owner} and the {animal} {pet}, {age}, walk here every morning.
        What a nice {animal}! {owner} says its name is {pet} and it is {age}.
        With {age} years, {pet} is the {animal} that {owner} has at home.
        {pet} ({animal}, {age}) / {owner}
        {pet} / {animal} / {age} years / owner {owner}
        {owner} adopted {pet}, a {animal} of {age}.
        Vet record: owner {owner}, patient {pet}, species {animal}, age {age}.
        The {age} year old {animal} answers to {pet} and {owner} is its human.
        {owner} says {pet} is a {animal} and is {age} now.
        Lost: {animal}, {age} years, called {pet}. Please call {owner}.
        {pet} is {age} years old and is the {animal} of {owner}.
        Look at {pet}! This {animal} is {age}, and {owner} takes it everywhere.
        In the waiting room sat {owner} with {pet}, a {animal}, {age} years old.
        The {animal} named {pet} has been with {owner} and is {age} today.
        Name: {pet}. Kind: {animal}. Years: {age}. Keeper: {owner}.
        {owner} bought a bed for {pet}, the {animal}, now that it is {age}.
        A {animal}? Yes, {owner} has one. It is {age} and they call it {pet}.
        Aged {age}, the {animal} {pet} still lives with {owner}.
    """),
    "book": lines("""
        {author} wrote {title} in {year}.
        {title} was written by {author} in {year}.
        The book {title} by {author} came out in {year}.
        In {year}, {author} published {title}.
        {title} ({author}, {year})
        {author}'s novel {title} appeared in {year}.
        I am reading {title}, a book from {year} by {author}.
        The author of {title} is {author}; it is from {year}.
        {title} is a novel by {author}, first printed in {year}.
        Have you read {title}? {author} wrote it in {year}.
        {year} was the year in which {author} finished {title}.
        The library has {title} by {author}, published {year}.
        "{title}" by {author} came out in {year} with great success.
        My favorite book is {title}. It is by {author} and from {year}.
        author: {author}; title: {title}; year: {year}
        With {title}, {author} made a name in {year}, when it came out.
        In the year {year} a book called {title} was published by {author}.
        Everybody talked about {title} in {year}, the first book of {author}.
        {author} became famous in {year} with {title}.
        The story {title} goes back to {year} and was told by {author}.
        They are making a film of {title}, the {year} book by {author}.
        It took {author} ten years to write {title}, which came out in {year}.
        A copy of {title} from {year}, signed by {author}, was sold.
        Please return {title} by {author} ({year}).
        For my birthday I got {title}, written by {author} in {year}.
        {author}, {title}, {year}
        The teacher read from {title}, which {author} wrote in {year}.
        Of all the books by {author}, {title} from {year} is the best.
        Nobody bought {title} when {author} brought it out in {year}.
        Published in {year}, {title} made {author} rich.
        The shop sells {title}, a work of {author} dating from {year}.
        Do you own {title}? I mean the one {author} published in {year}.
        {title} / by {author} / {year}
        Released in {year}: {title}, by {author}.
        {author} is the writer behind {title} ({year}).
        I borrowed {title}. {author} wrote it; the first edition is from {year}.
        Published {year}. Title: {title}. Author: {author}.
        Readers loved {title}, which {author} released in {year}.
        {year} brought us {title}, penned by {author}.
        When {title} was printed in {year}, {author} was unknown.
        On my shelf stands {title} from {year}; {author} is its author.
        Who wrote {title}? {author} did, in {year}.
        {author} needed years to complete {title} and saw it published in {year}.
        The {year} bestseller {title} is a work by {author}.
        Our book club reads {title} ({year}) by {author} next.
    """),
    "shipment": lines("""
        A {item} weighing {weight} kg was shipped to {city}.
        We sent the {item} to {city}; it weighs {weight} kg.
        The {item} ({weight} kg) goes to {city}.
        Ship one {item}, {weight} kg, to {city}.
        {city} will receive a {item} of {weight} kilograms.
        The parcel for {city} holds a {item} and weighs {weight} kg.
        A truck brings the {item} to {city}. It weighs {weight} kilos.
        Item: {item}, weight: {weight} kg, destination: {city}
        The {weight} kg {item} is on its way to {city}.
        In {city} they are waiting for the {item}, {weight} kg.
        At {weight} kg, the {item} was sent by ship to {city}.
        Please deliver a {item} to {city}. The weight is {weight} kg.
        The {item} that left for {city} weighs {weight} kg.
        {weight} kg: that is the weight of the {item} sent to {city}.
        Someone in {city} ordered a {item}, so we packed it, {weight} kg in all.
        The box with the {item} has {weight} kg and is bound for {city}.
        To {city} we ship the {item}, with a weight of {weight} kg.
        {item} to {city}, {weight} kg
        How long does a {item} of {weight} kg take to {city}?
        The carrier took the {item} to {city} and charged for {weight} kg.
        Our shipment to {city} is a {item} with {weight} kg.
        The scale says {weight} kg for the {item} that goes to {city}.
        A customer in {city} gets a {item}; parcel weight {weight} kg.
        The {item} is in {city} now. Weight on arrival: {weight} kg.
        The post office in {city} has a {item} of {weight} kg for you.
        One {item} of {weight} kg arrived in {city}.
        Load the {item} for {city} last, as it weighs {weight} kg.
        By ship to {city}: {item}, {weight} kg.
        I mailed a {item} to my sister in {city}, {weight} kg.
        A {item} was lost on the way to {city}. It had {weight} kg.
        {city} ordered the {item}; with packaging it comes to {weight} kg.
        {city} / {item} / {weight} kg
        One {item} for {city}, gross weight {weight} kg.
        Weighing in at {weight} kg, a {item} is being sent to {city}.
        Courier note: deliver {item}, {weight} kilos, {city}.
        The {item} will travel to {city}; the label says {weight} kg.
        Destination {city}, content {item}, {weight} kg.
        Please pick up a {item} of {weight} kg and take it to {city}.
        Freight for {city}: a {item} ({weight} kg).
        We put {weight} kg on the form for the {item} going to {city}.
        From the depot a {item} was sent off to {city}, {weight} kilograms in weight.
        A crate with a {item} inside, {weight} kg, left for {city} today.
        Nobody in {city} could lift the {item}, which weighs {weight} kg.
        Is the {item} for {city} really {weight} kg?
        The branch in {city} ordered a {item}. Shipping weight: {weight} kg.
    """),
    "lesson": lines("""
        {teacher} teaches {subject} on {day} in room {room}.
        The lesson in {subject} with {teacher} is on {day} in room {room}.
        On {day}, {teacher} gives a class in {subject} in room {room}.
        {subject} is taught by {teacher} in room {room} on {day}.
        Room {room}, {day}: {subject} with {teacher}
        We have {subject} with {teacher} every {day} in room {room}.
        The course in {subject} by {teacher} meets on {day} in room {room}.
        Go to room {room} on {day} for {subject} with {teacher}.
        {teacher} will be in room {room} on {day} to teach {subject}.
        {day} means {subject} in room {room} with {teacher}.
        Our teacher for {subject} is {teacher}. The class is on {day}, room {room}.
        In room {room}, {teacher} holds the exam in {subject} on {day}.
        {subject}, {teacher}, {day}, {room}
        My class in {subject} moved to room {room}; {teacher} will be there on {day}.
        Students of {subject} meet {teacher} in room {room} each {day}.
        Next {day}, {teacher} starts to teach {subject} in room {room}.
        Who teaches {subject} on {day}? It's {teacher}, in room {room}.
        teacher {teacher} subject {subject} day {day} room {room}
        The timetable says {day}, room {room}, {subject}, {teacher}.
        {teacher} asked us to come to room {room} on {day} for {subject}.
        For {subject}, see {teacher} on {day} in room {room}.
        {teacher} swapped rooms: {subject} on {day} is in {room} now.
        Every {day}, room {room} is full, since {teacher} makes {subject} fun.
        I signed up for {subject} on {day}. {teacher} teaches it in room {room}.
        The only lesson in {subject} this week is on {day} with {teacher} in room {room}.
        {teacher}: {subject} ({day}, {room})
        On {day} at school, {subject} was in room {room} and {teacher} was late.
        Please tell {teacher} that {subject} on {day} takes place in room {room}.
        Bring your books to room {room} on {day}; {teacher} starts with {subject}.
        The new teacher for {subject}, {teacher}, has room {room} on {day}.
        Parents may visit the class in {subject} that {teacher} gives on {day} in room {room}.
        {day} / {room} / {subject} / {teacher}
        {subject} happens on {day} in room {room}; the teacher is {teacher}.
        If it's {day}, {teacher} is teaching {subject} in {room}.
        Course: {subject}. Lecturer: {teacher}. Day: {day}. Room: {room}.
        In room {room} you find {teacher} on {day}, explaining {subject}.
        {teacher} offers {subject} every {day}, room {room}.
        Come to {room} this {day} to learn {subject} from {teacher}.
        Room {room} is booked on {day} by {teacher} for {subject}.
        The class on {subject} that {teacher} gives on {day} moved to {room}.
        My timetable: {day}, {subject}, room {room}, teacher {teacher}.
        {subject} ({teacher}) takes place in {room} on {day}.
        On {day} you can hear {teacher} lecture about {subject} in room {room}.
        Sign up with {teacher} for {subject}: each {day}, room {room}.
        Because {teacher} was ill, {subject} in room {room} was moved to {day}.
    """),
    "match": lines("""
        {winner} beat {loser} {score}.
        {winner} won {score} against {loser}.
        {loser} lost {score} to {winner}.
        The match between {winner} and {loser} ended {score} for {winner}.
        {winner} defeated {loser} with a score of {score}.
        A {score} win for {winner} over {loser}.
        With {score}, {winner} won the game against {loser}.
        {loser} had no chance and lost {score} against {winner}.
        Final score: {score}. {winner} wins, {loser} loses.
        The fans of {winner} celebrate: {score} against {loser}!
        {winner} - {loser} {score}
        It was {score} in the end, and {winner} had beaten {loser}.
        {winner} took the cup after a {score} victory over {loser}.
        After a hard fight {loser} went down {score} to {winner}.
        {score}: {winner} knocks {loser} out.
        The winner is {winner}, who beat {loser} by {score}.
        winner {winner} loser {loser} score {score}
        {loser} was beaten {score} by {winner}.
        Nobody expected {winner} to win {score} over {loser}.
        {winner} got past {loser} in the semi-final, {score}.
        The trainer of {loser} was sad about the {score} against {winner}.
        What a game! {winner} won it {score}, and {loser} went home.
        {winner} celebrated a {score} win, while {loser} left the field.
        On Sunday {winner} and {loser} played, and {winner} won {score}.
        The final was won by {winner}; {loser} lost with {score}.
        By {score}, {loser} lost its home game to {winner}.
        {winner} finished off {loser} {score} in front of a full house.
        Result of the day: {winner} wins {score}, {loser} is out.
        The {score} shows how much better {winner} was than {loser}.
        {loser} scored first, but {winner} won {score}.
        Victory for {winner}! They beat {loser}, and the score was {score}.
        {winner} played {loser} and won with {score}.
        {winner} over {loser}, {score}
        {loser} fell to {winner} with a final result of {score}.
        Full time: {winner} beats {loser}, {score}.
        {winner} came out on top, {score}, leaving {loser} behind.
        {score} was the result as {winner} eliminated {loser}.
        In a close game {winner} edged {loser} {score}.
        {loser} could not stop {winner}, who won by {score}.
        Winner: {winner}. Loser: {loser}. Score: {score}.
        {winner} crushed {loser}; it ended {score}.
        With a result of {score} the trophy goes to {winner} and not to {loser}.
        It ended {score}. Joy for {winner}, tears for {loser}.
        Against {loser}, {winner} managed a {score} victory.
        The reporters saw {loser} lose to {winner}, {score}.
        A late goal gave {winner} a {score} win against {loser}.
    """),
}

# Sentences that may stand before or after and say nothing of interest.
FILLERS: tuple[str, ...] = lines("""
    Please note this.
    That is all I know.
    I hope this helps.
    Just so you know.
    This was in the news today.
    I have to write this down.
    Let me tell you something.
    Here is what I heard.
    The rest is not important.
    We talked about it at lunch.
    It was a long day.
    Nobody was surprised.
    I wrote it on a piece of paper.
    Thank you for your message.
    Hello!
    Good morning.
    Sorry for the late reply.
    See you soon.
    By the way, I am fine.
    Everything else stays the same.
    I read this twice.
    Someone told me this yesterday.
    Keep it short, please.
    It is a true story.
    This is good news.
    Have a nice day.
    More details will follow.
    I am not sure about the rest.
    As I said before, things change.
    We should talk about that some time.
""")

# What a slot may be called in a schema. The type follows the slot.
FIELDS: dict[str, dict[str, tuple[str, ...]]] = {
    "person": {
        "name": ("name", "full_name", "person", "person_name", "who", "fullName"),
        "age": ("age", "years", "age_years", "age_in_years", "how_old"),
        "city": ("city", "town", "location", "home", "place", "residence", "lives_in"),
        "job": ("job", "occupation", "profession", "work", "role", "job_title", "jobTitle"),
    },
    "order": {
        "name": ("name", "customer", "buyer", "client", "customer_name", "ordered_by"),
        "quantity": ("quantity", "count", "amount", "number", "qty", "how_many", "pieces"),
        "item": ("item", "product", "article", "goods", "product_name", "what"),
        "price": ("price", "cost", "total", "total_price", "paid", "value", "sum"),
    },
    "event": {
        "event": ("event", "name", "title", "what", "event_name", "occasion"),
        "date": ("date", "day", "when", "event_date", "on", "scheduled_for"),
        "city": ("city", "location", "place", "where", "venue_city", "town"),
    },
    "product": {
        "item": ("item", "product", "name", "article", "product_name", "productName"),
        "price": ("price", "cost", "amount", "unit_price", "value", "how_much"),
        "color": ("color", "colour", "shade", "product_color", "color_name"),
    },
    "contact": {
        "name": ("name", "full_name", "person", "contact", "contact_name", "fullName"),
        "email": ("email", "mail", "email_address", "e_mail", "emailAddress"),
        "phone": ("phone", "phone_number", "tel", "telephone", "number", "phoneNumber"),
    },
    "trip": {
        "name": ("name", "traveler", "passenger", "person", "who", "traveller"),
        "origin": ("origin", "from", "start", "departure", "from_city", "departure_city", "source"),
        "destination": ("destination", "to", "end", "arrival", "to_city", "arrival_city", "target"),
        "date": ("date", "day", "when", "travel_date", "departure_date"),
    },
    "booking": {
        "name": ("name", "guest", "customer", "booked_by", "reservation_name", "host"),
        "people": ("people", "guests", "persons", "party_size", "party", "group_size", "seats"),
        "time": ("time", "at", "hour", "when", "start_time", "booking_time"),
        "restaurant": ("restaurant", "place", "where", "venue", "restaurant_name"),
    },
    "employment": {
        "name": ("name", "employee", "person", "worker", "full_name", "staff_member"),
        "company": ("company", "employer", "firm", "organization", "company_name", "business"),
        "job": ("job", "position", "role", "title", "job_title", "occupation", "profession"),
        "year": ("year", "since", "start_year", "joined", "hired_in", "startYear"),
    },
    "weather": {
        "city": ("city", "location", "place", "where", "town", "city_name"),
        "temperature": ("temperature", "temp", "degrees", "temperature_c", "celsius"),
        "condition": ("condition", "weather", "sky", "conditions", "description"),
    },
    "payment": {
        "sender": ("sender", "from", "payer", "paid_by", "sent_by", "debtor", "giver"),
        "receiver": ("receiver", "to", "payee", "recipient", "paid_to", "received_by"),
        "amount": ("amount", "sum", "value", "money", "total", "payment"),
    },
    "pet": {
        "owner": ("owner", "owner_name", "person", "belongs_to", "human", "master"),
        "pet": ("pet", "pet_name", "name", "called", "petName"),
        "animal": ("animal", "species", "kind", "type", "animal_type", "kind_of_animal"),
        "age": ("age", "years", "pet_age", "age_in_years", "how_old"),
    },
    "book": {
        "title": ("title", "book", "name", "book_title", "bookTitle"),
        "author": ("author", "writer", "written_by", "by", "author_name"),
        "year": ("year", "published", "publication_year", "date", "year_published"),
    },
    "shipment": {
        "item": ("item", "product", "goods", "content", "article", "cargo"),
        "weight": ("weight", "kg", "weight_kg", "mass", "kilograms"),
        "city": ("city", "destination", "place", "where", "location", "target_city"),
    },
    "lesson": {
        "teacher": ("teacher", "instructor", "taught_by", "name", "teacher_name", "lecturer"),
        "subject": ("subject", "course", "lesson", "class", "topic", "what"),
        "day": ("day", "weekday", "when", "on", "day_of_week"),
        "room": ("room", "classroom", "where", "room_number", "place", "location"),
    },
    "match": {
        "winner": ("winner", "winning_team", "won", "first_place", "victor"),
        "loser": ("loser", "losing_team", "lost", "beaten", "second_place"),
        "score": ("score", "result", "final_score", "points", "outcome"),
    },
}

# Fields that no sentence answers.
ABSENT: dict[str, str] = {
    "website": "string",
    "discount": "number",
    "rating": "number",
    "deadline": "string",
    "duration": "string",
    "postcode": "string",
    "hobby": "string",
    "salary": "number",
    "brand": "string",
    "material": "string",
    "language": "string",
    "height": "number",
    "nickname": "string",
    "currency_code": "string",
    "tracking_number": "string",
    "birthday": "string",
    "fax": "string",
    "license": "string",
    "middle_name": "string",
    "coupon": "string",
}

# The name of a list of records, and of one record.
LISTS: dict[str, tuple[str, ...]] = {
    "person": ("people", "persons", "entries"),
    "order": ("orders", "purchases", "entries"),
    "event": ("events", "dates", "calendar"),
    "product": ("products", "items", "goods"),
    "contact": ("contacts", "people", "entries"),
    "trip": ("trips", "journeys", "travels"),
    "booking": ("bookings", "reservations", "tables"),
    "employment": ("employees", "jobs", "staff"),
    "weather": ("cities", "reports", "places"),
    "payment": ("payments", "transfers", "transactions"),
    "pet": ("pets", "animals", "patients"),
    "book": ("books", "titles", "works"),
    "shipment": ("shipments", "parcels", "deliveries"),
    "lesson": ("lessons", "classes", "timetable"),
    "match": ("matches", "games", "results"),
}

# Real line breaks are written "\\n" here, and put in below.
_INSTRUCTIONS = lines(r"""
    Extract {fields} from this sentence: {sentence}
    Extract the following fields as JSON: {fields}\nText: {sentence}
    Extract {fields} as JSON.\n\n{sentence}
    {sentence}\n\nExtract {fields} from the text above as JSON.
    Give me a JSON object with {fields} for this text: {sentence}
    Return JSON with {fields}. Sentence: {sentence}
    Turn this sentence into JSON with the fields {fields}: {sentence}
    Convert to JSON ({fields}): {sentence}
    Parse this into JSON. Fields: {fields}. Text: {sentence}
    Read the text and fill in {fields}. Answer in JSON.\nText: {sentence}
    Text: {sentence}\nFields: {fields}\nJSON:
    Sentence: "{sentence}"\nSchema: {fields}
    Schema: {fields}\nSentence: {sentence}
    Schema:\n{fields}\n\nInput:\n{sentence}
    Fill this schema from the sentence.\n{fields}\n{sentence}
    Use this schema: {fields}\nand this text: {sentence}
    What are {fields} in the following sentence? Reply with JSON only. {sentence}
    Answer with a JSON object that matches {fields}. The text is: {sentence}
    I need {fields} as JSON from: {sentence}
    i need json with {fields} from this: {sentence}
    json please, with {fields}: {sentence}
    Please extract {fields} from "{sentence}" and reply in JSON.
    Please return only JSON with these keys: {fields}. {sentence}
    From the sentence "{sentence}" take {fields}. Write them as JSON.
    Here is a sentence: {sentence} Write it as JSON with {fields}.
    Here is a text:\n{sentence}\nHere are the fields I want:\n{fields}
    Take the facts out of this text: {sentence}\nWanted: {fields}
    Structured output, please. Format: {fields}. Input: {sentence}
    Produce JSON that follows this format: {fields}\n\n{sentence}
    Output format: {fields}\nInput: {sentence}\nOutput:
    Input: {sentence}\nOutput format: {fields}
    Find {fields} in: {sentence} Output JSON.
    Get {fields} out of the following and give me JSON: {sentence}
    Make a JSON object ({fields}) out of this: {sentence}
    Map this sentence to {fields} in JSON: {sentence}
    Transform the text into an object with {fields}.\nText: {sentence}
    Can you extract {fields} from this? {sentence}
    Can you turn "{sentence}" into JSON with {fields}?
    Could you pull {fields} out of this sentence as JSON? {sentence}
    Would you please write {fields} of this sentence as JSON: {sentence}
    Information extraction task.\nFields: {fields}\nSentence: {sentence}
    Task: fill in the JSON.\nJSON format: {fields}\nSentence: {sentence}
    Respond in JSON with {fields}: {sentence}
    Respond with a JSON object only.\nKeys: {fields}\nText: {sentence}
    Keys: {fields}. Text: {sentence}
    {fields}\n{sentence}
    {fields}\n\n{sentence}
    {sentence}\n{fields}
    {sentence} -> JSON with {fields}
    {sentence}\nAs JSON: {fields}
    {sentence} Give me {fields} in JSON.
    "{sentence}" - extract {fields} as JSON
    Message: {sentence}\nReturn {fields} as a JSON object.
    I got this message: "{sentence}" Please put {fields} into JSON.
    Save this as JSON with {fields}: {sentence}
    Put {fields} from this text in a JSON object: {sentence}
    Write a JSON record with {fields} for: {sentence}
    Create a JSON record. Fields: {fields}. Source: {sentence}
    For my database I need {fields} in JSON. The text: {sentence}
    Analyse the sentence and return {fields} in JSON.\n{sentence}
    Read this: {sentence}\nNow return {fields} as JSON, nothing else.
    Only JSON, no other words. Fields: {fields}. Text: {sentence}
    No explanation, just the JSON.\nSchema: {fields}\nText: {sentence}
    Fit the text to the schema.\nSchema: {fields}\nText: {sentence}
    Follow the schema exactly: {fields}\nThe text: {sentence}
    Given this schema: {fields}\nExtract the data from: {sentence}
    Given the text below, answer with JSON that fits {fields}\n\n{sentence}
    Extract structured data.\n\nText: {sentence}\n\nSchema: {fields}
    Extract the data from the text.\nText: "{sentence}"\nFormat: {fields}
    Extract all of these: {fields}. If something is missing, use null. Text: {sentence}
    Use null for what is not said. Fields: {fields}\nText: {sentence}
    Return {fields} as JSON, null if unknown, for: {sentence}
    Complete this object: {fields}\nTake the values from: {sentence}
    The object should look like this: {fields}\nThe sentence is: {sentence}
    Serialize this sentence. Fields: {fields}. Sentence: {sentence}
    JSON object with {fields}, taken from the sentence: {sentence}
    to json: {sentence} (fields: {fields})
    extract {fields} :: {sentence}
    Pick out {fields}. Return them as JSON. {sentence}
    Give {fields} of this text as a JSON object: {sentence}
    Tell me {fields} from this sentence, in JSON: {sentence}
    Identify {fields} in this sentence and answer in JSON format: {sentence}
    What does this text say for {fields}? JSON only. {sentence}
    ### Schema\n{fields}\n### Text\n{sentence}
    # Text\n{sentence}\n\n# JSON fields\n{fields}
    <text>{sentence}</text>\n<schema>{fields}</schema>
    <schema>\n{fields}\n</schema>\n<input>\n{sentence}\n</input>
    User text: {sentence}\nRequired output: JSON with {fields}
    Please summarize the sentence as JSON with {fields}: {sentence}
    What does this say? Answer as JSON with {fields}. {sentence}
    Do a quick extraction for me: {fields} from {sentence}
    Dear assistant, please give me {fields} as JSON. This is the text: {sentence}
    Produce JSON containing {fields}: {sentence}
    Produce an object holding {fields} for the text "{sentence}"
    Generate JSON made up of {fields} from this statement. {sentence}
    Generate a record containing {fields}.\n\n"{sentence}"
    Build me an object with {fields}. Use this: {sentence}
    Express this as JSON with {fields}: {sentence}
    Emit {fields} as JSON. Source text: {sentence}
    Render the note below as JSON having {fields}.\n{sentence}
    Boil this down to {fields} in JSON form: {sentence}
    Reduce this line to {fields} (JSON): {sentence}
    Break "{sentence}" down into {fields}. JSON, please.
    Represent the following in JSON. The keys: {fields}\n{sentence}
    Rewrite as JSON, keeping just {fields}: {sentence}
    Structure this for me with {fields}: {sentence}
    Please structure the following text. Keys: {fields}.\n\n{sentence}
    Put this into a JSON object whose keys are {fields}: {sentence}
    I'd like a JSON object whose fields are {fields}. Here's the text: {sentence}
    I'd love to have {fields} of this one in JSON: {sentence}
    I want {fields} in JSON from the following line:\n{sentence}
    We need {fields} out of it, as JSON: "{sentence}"
    My program expects {fields}. Please convert this for it: {sentence}
    My app reads JSON with {fields}. What should I feed it for "{sentence}"?
    The API wants {fields}. Make the JSON body from: {sentence}
    A form asks for {fields}. Fill it, in JSON, using: {sentence}
    Fill out {fields} based on what this says: {sentence}
    Based on the text, what are the values of {fields}? JSON.\n{sentence}
    Based on "{sentence}", complete {fields} as a JSON object.
    Looking at "{sentence}", return {fields} in JSON.
    Looking only at the next line, give {fields} as JSON.\n{sentence}
    Going by this sentence, what would you enter for {fields}? Write JSON. {sentence}
    {sentence}\n\nWhat are {fields} here? Use JSON.
    {sentence}\n\nNow the same as JSON, with {fields}.
    {sentence}\n\nKeys wanted: {fields}
    {sentence}\n\nPlease answer with an object containing {fields}.
    {sentence}\n---\nJSON with {fields}
    {sentence}\n---\nschema: {fields}
    {sentence}\n\nThe above as JSON ({fields}), thanks!
    {sentence} <- turn that into JSON holding {fields}
    {sentence} | as json with {fields}
    {sentence}\n=> {fields}
    {sentence}\nFrom this I need {fields}. Answer in JSON, no comments.
    {sentence}\nCould I have {fields} from that as JSON?
    {sentence} Could you write down {fields} as JSON?
    "{sentence}"\nGive {fields} as JSON.
    "{sentence}" What are {fields}? Reply in JSON.
    "{sentence}"\n\nProduce a JSON object containing {fields}.
    '{sentence}' as JSON with {fields}, please
    The text reads "{sentence}". Its JSON should contain {fields}. Go.
    The sentence "{sentence}" has to become JSON with {fields}.
    The following was said: "{sentence}" Capture {fields} in JSON.
    Someone wrote "{sentence}". Give {fields} in JSON.
    A customer wrote: {sentence}\nFill in {fields}.
    This came in by mail: {sentence}\nFile it under {fields}, as JSON.
    From the chat: {sentence}\nWhat we store: {fields}
    Log line: {sentence}\nTarget schema: {fields}
    Note: {sentence}\nColumns: {fields}\nGive me the row as a JSON object.
    Document: {sentence}\n\nQuestion: what are {fields}? Answer as JSON.
    Data: {sentence}\nStructure: {fields}
    Content: {sentence}\nTemplate: {fields}\nResult:
    Statement: {sentence}\nAttributes to find: {fields}
    Paragraph:\n{sentence}\n\nAttributes:\n{fields}
    Original: {sentence}\nDesired keys: {fields}
    Raw text:\n{sentence}\n\nParsed ({fields}):
    INPUT\n{sentence}\nOUTPUT KEYS\n{fields}
    INPUT: {sentence}\nFORMAT: {fields}
    TEXT: {sentence}\nRETURN: {fields}
    Fields = {fields}\nText = {sentence}
    fields: {fields} | text: {sentence}
    Format -> {fields}\nText -> {sentence}
    Target: {fields}\nSource: {sentence}
    Template: {fields}\nUse the template for this: {sentence}
    Columns: {fields}\nNow read: {sentence}
    Attributes: {fields}\n\n{sentence}
    Needed: {fields}.\nGiven: {sentence}
    Given: {sentence}\nNeeded: {fields}
    Wanted: {fields}. Given: {sentence}
    [schema] {fields} [text] {sentence}
    [text] {sentence} [schema] {fields}
    ### Input\n{sentence}\n\n### Output schema\n{fields}
    ## Task\nExtract {fields}.\n\n## Text\n{sentence}
    <doc>{sentence}</doc> Extract {fields} from the doc.
    ```\n{sentence}\n```\nJSON with {fields}, please.
    Here you go: {sentence}\nI only care about {fields}. JSON.
    Here is the format: {fields}\n\nAnd here is what to convert:\n\n{sentence}
    Here's a message I received.\n\n{sentence}\n\nTurn it into JSON with {fields}.
    Consider this: {sentence} Provide {fields} as JSON.
    Study the line and give {fields} in JSON.\n{sentence}
    Go through this text and collect {fields} in a JSON object: {sentence}
    Gather {fields} from what follows. JSON output. {sentence}
    Fetch {fields} from the sentence below, JSON only.\n\n{sentence}
    Pull out {fields}: {sentence}
    pull {fields} from: {sentence}
    get me {fields} in json. {sentence}
    gimme json with {fields}. text: {sentence}
    need {fields} as json from this -> {sentence}
    json ({fields}) for: {sentence}
    {fields} from "{sentence}" as json
    {fields} <- {sentence}
    {fields}\n\nFill that in for: {sentence}
    {fields}\n\nThis is the form. This is the text: {sentence}
    {fields}\nAnswer in this shape for the following text:\n{sentence}
    {fields}: find these in "{sentence}" and return JSON
    Determine {fields}. The text: {sentence} The answer must be valid JSON.
    Write down {fields} from the following in JSON notation: {sentence}
    Detect {fields} in the text and answer with one JSON object.\n{sentence}
    Annotate this text with {fields}, written as JSON: {sentence}
    Encode the information in JSON using {fields}. Text: {sentence}
    Translate this sentence into JSON ({fields}). {sentence}
    Isolate {fields} in "{sentence}". Return JSON.
    Take {fields} from the text into JSON. Do not change any words.\nText: {sentence}
    Copy the values exactly as written. Keys: {fields}. Text: {sentence}
    Keep the wording of the text and give {fields} as JSON. {sentence}
    Use the exact words of the sentence for {fields}. JSON only.\n{sentence}
    Without adding anything, write {fields} of this as JSON: {sentence}
    Leave nothing out: {fields}. Reply in JSON. Text: {sentence}
    Don't explain. Return {fields} as JSON. {sentence}
    Don't say anything but JSON. I need {fields}. It's about this: {sentence}
    If a value isn't given, put null. I want {fields} from: {sentence}
    Anything not mentioned is null. JSON keys: {fields}. Text: {sentence}
    Mind the types: {fields}. Text to read: {sentence}
    Numbers as numbers, please. {fields} in JSON for: {sentence}
    May I have {fields} in JSON for this sentence? {sentence}
    Would it be possible to get {fields} as JSON from "{sentence}"?
    Kind request: JSON holding {fields}. Text follows. {sentence}
    Could you be so good and turn the text into {fields}? As JSON. {sentence}
    Hi! Please make JSON ({fields}) from this: {sentence}
    Hello, I have a text: {sentence}\nI'd need {fields} in JSON. Thanks!
    Hey, quick one: {fields} as JSON for "{sentence}"
    Thanks for helping. The schema is {fields}\nThe sentence is: {sentence}
    Next one. Schema: {fields}. Sentence: {sentence}
    Your job: read "{sentence}" and output {fields} in JSON.
    Your reply must be a JSON object having {fields}. The input: {sentence}
    The reply should consist of {fields} as JSON. Take them from: {sentence}
    The output has to match {fields}. The text to work on is: {sentence}
    The result should look like {fields}\n\nText:\n{sentence}
    Match this shape: {fields}\nwith the facts of: {sentence}
    Adhere to this format: {fields}\nConvert: {sentence}
    Obey this structure.\n{fields}\n\nText:\n{sentence}
    As an object with {fields}, how would you write this? {sentence}
    As JSON please. {sentence} I am interested in {fields}.
    In JSON: {fields} of "{sentence}"
    In JSON, tell me {fields}.\n\n{sentence}
    With {fields} as keys, summarise this in JSON: {sentence}
    Use these keys: {fields}. Put what this text says under them: {sentence}
    Tell me {fields} from this text; answer with JSON. {sentence}
    I want {fields} as JSON. The facts: {sentence}
    I need {fields} for my table, as a JSON object. Entry: {sentence}
    Show {fields} of this entry as JSON: {sentence}
    Sort this information into {fields}, as JSON: {sentence}
    Provide a JSON answer with {fields} after reading this.\n{sentence}
    Deliver JSON consisting of {fields}. {sentence}
    Compose JSON from the sentence; it has {fields}. Sentence: {sentence}
""")
INSTRUCTIONS: tuple[str, ...] = tuple(text.replace("\\n", "\n") for text in _INSTRUCTIONS)

# System messages that hold the schema; the user's message is the sentence alone.
_SYSTEMS = lines(r"""
    Extract {fields} from the user's message and answer with JSON only.
    You extract data. Answer with JSON that has {fields}.
    Answer with a JSON object with {fields} for each message.
    You are an extraction service. Fields: {fields}
    You turn sentences into JSON. Schema: {fields}
    Reply only with JSON that follows this schema:\n{fields}
    The user sends a sentence. Return {fields} as JSON.
    Return JSON, nothing else. Keys: {fields}
    You are a parser. For every sentence output {fields} in JSON.
    Your output must be JSON of this form: {fields}
    Output format: {fields}
    Respond in JSON.\nSchema:\n{fields}
    You fill in forms. The form has {fields}. Write JSON.
    Convert each user message to JSON with {fields}.
    For each text, give {fields} as JSON; use null where the text says nothing.
    You are a helpful assistant. Always answer in JSON with {fields}.
    Structured output only. Format: {fields}
    Read what the user writes and extract {fields}. No prose, only JSON.
    Every answer is a JSON object with {fields}.
    JSON mode. Schema: {fields}
    You are an API. You receive text and return {fields} as JSON.
    Take {fields} out of the text. Answer in JSON and add no other words.
    Extract information in this format: {fields}
    Schema: {fields}\nAnswer with a matching JSON object.
    You work for a data team. Turn messages into JSON with {fields}.
    Produce JSON containing {fields} for whatever the user says.
    Your only task is to fill {fields} from the user's text. Reply in JSON.
    Input: a sentence by the user. Output: an object with {fields}.
    You are a form filler. Form fields: {fields}
    Each user turn is a text. Each of your turns is JSON having {fields}.
    Map user messages to {fields}, as JSON, without comments.
    Act as a text-to-JSON converter. Use {fields}.
    Users send notes; you send back {fields} as JSON objects.
    Never write prose. Write JSON with {fields}.
    Please extract {fields} from every message you get.
    You are a careful clerk. Copy {fields} from the message into JSON.
    Copy values exactly. Return {fields} in JSON.
    Data entry mode.\nColumns: {fields}
    You receive raw text. Respond with this structure:\n{fields}
    Target schema: {fields}
    {fields}
    {fields}\nFill this from each message.
    Here is the schema you follow:\n{fields}\nReply with an object and nothing more.
    The output of this service is always JSON: {fields}
    Keys to return: {fields}. If one is missing in the text, return null for it.
    Whenever a message arrives, note {fields} as JSON.
    Act like a JSON endpoint. Response body: {fields}
    Do not chat. Extract {fields}.
    Parse the input to {fields}.
    As a parser you know these fields only: {fields}. Output JSON.
    You read messages for a database with the columns {fields}. Give one JSON object per message.
    Structure everything you read as {fields} (JSON).
    Generate an object made of {fields} from the text of the user.
    Your answers follow this type: {fields}
    Our pipeline needs {fields} in JSON. The user's text has the facts.
    Take the user's words and sort them into {fields}. JSON, please.
    Be terse: JSON holding {fields}, that's all.
    Information extraction.\n\nAttributes:\n{fields}\n\nAnswer in JSON.
    Find {fields} in what the user writes; print them as JSON.
    You speak only JSON. Every object has {fields}.
    Numbers stay numbers, names stay as written. Return {fields} as JSON.
    Helpful extraction bot. Wanted: {fields}
    Reply format (JSON): {fields}
    From each message keep just {fields} and answer with a JSON object.
""")
SYSTEMS: tuple[str, ...] = tuple(text.replace("\\n", "\n") for text in _SYSTEMS)

# Requests for several records, where {list} is the key that holds them.
_LIST_INSTRUCTIONS = lines(r"""
    Several things are told below. Return JSON with a list {list}, each entry having {fields}.\n{sentence}
    Here are several records. Put them all in "{list}" (JSON), giving {fields} for each.\n\n{sentence}
    {sentence}\n\nCollect everything in a JSON array named {list}; for every entry I need {fields}.
    Make a JSON object with one key, {list}, that holds an array. Its elements have {fields}. Text: {sentence}
    List all of them under {list} with {fields}, as JSON: {sentence}
    For each one mentioned, give {fields}. Wrap the objects in a list under the key {list}. {sentence}
    Return every record as JSON in {list}. A record has {fields}. {sentence}
    Give me {list} as a JSON list of objects containing {fields}. The text is: {sentence}
    {sentence}\nJSON with {list}, one object per entry, and in each object {fields}
    Extract all {list} from the text. For each: {fields}. Answer in JSON with the key {list}.\n{sentence}
    How many are there? Write them all as {list} in JSON, with {fields} each: {sentence}
    Produce JSON containing {list}, an array of objects with {fields}: {sentence}
    Text: {sentence}\nOutput: an object whose {list} is an array; each item with {fields}
    i need all {list} as json, {fields} for each: {sentence}
    Please turn these lines into JSON. Top-level key: {list}. Per line: {fields}.\n{sentence}
    Several entries follow. Key {list}, and per entry {fields}. JSON only.\n\n{sentence}
    "{sentence}" - put all of that into a {list} array with {fields} per element, as JSON.
    Collect {fields} of every entry and return them as the JSON list {list}. {sentence}
    Schema: {list} is a list; every element has {fields}.\nText: {sentence}
    Read this and return {list} (a list). Elements: {fields}.\n{sentence}
""")
LIST_INSTRUCTIONS: tuple[str, ...] = tuple(text.replace("\\n", "\n") for text in _LIST_INSTRUCTIONS)

# The pieces of composed instructions: "produce" "a JSON record" "made of" {fields} ...
VERBS: tuple[str, ...] = lines("""
    produce
    generate
    emit
    build
    create
    make
    write
    output
    return
    give me
    print
    compose
    construct
    derive
    render
    deliver
    provide
    prepare
    assemble
    supply
    form
    send back
    reply with
    answer with
    respond with
    come up with
    show me
    draft
    put together
    hand me
    work out
    fill in
""")
OBJECTS: tuple[str, ...] = lines("""
    JSON
    JSON
    a JSON object
    a JSON object
    one JSON object
    an object
    a JSON record
    valid JSON
    plain JSON
    a small JSON document
    some JSON
    the JSON
    a JSON dictionary
    a dict
    a structured record
    a data object
    a JSON entry
    compact JSON
    the matching JSON object
    a single object
""")
WITHS: tuple[str, ...] = lines("""
    with
    with
    containing
    containing
    holding
    that holds
    that contains
    made of
    made up of
    consisting of
    comprising
    with the keys
    with the fields
    having
    that has
    whose keys are
    whose fields are
    limited to
    featuring
    including
    for
    using the keys
    using
    listing
    stating
    of the form
    in the format
    with values for
    carrying
    built from
    with nothing but
    composed of
    showing
    with entries for
    that tells
    which gives
""")
SOURCES: tuple[str, ...] = lines("""
    from
    for
    out of
    based on
    using
    given
    according to
    going by
    from the text
    from the sentence
    for the sentence
    for the message
    out of the note
    from the statement
    for this text:
    from this line:
    for this message:
    from what is said in
""")
TEXT_LABELS: tuple[str, ...] = lines("""
    Text
    Text
    Sentence
    Input
    Message
    Note
    Source
    Content
    Statement
    Data
    The text
    The sentence
    Here is the text
    This is the sentence
    What it says
    Entry
    Line
    Passage
    Document
    Snippet
    Description
    text
    input
    TEXT
""")
POLITE: tuple[str, ...] = (
    "", "", "", "", "Please ", "please ", "Could you ", "Can you ", "Would you ", "Kindly ", "Now ", "Then ",
    "I want you to ", "You should ", "I'd like you to ", "Try to ", "Just ", "Next, ", "Hi, please ",
    "Let's see: ", "Your task is to ", "Your job is to ", "It is your task to ", "Go and ", "Simply ",
)  # fmt: skip
TAILS: tuple[str, ...] = (
    "", "", "", "", "", "", " Nothing else.", " No prose.", " Thanks.", " No comments.", " Only that.",
    " Use null if something is missing.", " Copy the words as they are.", " Thank you!", " One line.",
    " No explanation, please.", " Do not add anything.", " Keep the spelling of the text.",
)  # fmt: skip

# Invented domains: what things have, and names of records.
ATTRIBUTES: tuple[str, ...] = lines("""
    color
    colour
    weight
    size
    shape
    owner
    price
    material
    height
    mood
    code
    speed
    taste
    smell
    age
    origin
    brand
    length
    width
    depth
    label
    status
    level
    grade
    rank
    kind
    type
    name
    power
    volume
    sound
    pattern
    place
    shelf
    maker
    model
    serial
    value
    cost
    score
    flavor
    texture
    capacity
    duration
    country
    language
    title
    topic
    category
    theme
    style
    purpose
    season
    nickname
    battery
    voltage
    range
    pressure
    frequency
    number
    rating
    stock
    version
    group
    region
    phase
    mode
    source
    target
    side
""")
SUBJECTS: tuple[str, ...] = (
    "thing",
    "object",
    "item",
    "what",
    "name",
    "subject",
    "entity",
    "article",
    "noun",
)
PREFIXES: tuple[str, ...] = (
    "main", "the", "given", "first", "my", "new", "this", "current", "actual", "full", "exact", "its", "our",
    "listed", "stated", "known", "real", "primary", "final", "total", "which", "single", "local", "record",
)  # fmt: skip
SUFFIXES: tuple[str, ...] = (
    "name", "value", "text", "info", "field", "data", "string", "entry", "detail", "key", "label", "item",
    "given", "out", "found", "1", "raw", "mentioned",
)  # fmt: skip
