"""More sentences to take facts from: varied syntax around the same slots."""

from __future__ import annotations

from training.content.tool_kinds import lines

SENTENCES: dict[str, list[str]] = {
    "person": list(
        lines("""
            Name: {name}; age: {age}; job: {job}; city: {city}
            Age: {age}; city: {city}; name: {name}; job: {job}
            City: {city}. Occupation: {job}. Full name: {name}. Age in years: {age}.
            JOB {job} / AGE {age} / NAME {name} / TOWN {city}
            Record 12: {name}, currently {job}, {age} yrs, resident of {city}
            {job}, {age}, {city}: that is {name} in short.
            {city}, {age} years, {job}, goes by {name}
            Patient: {name}, {age} years, {job}, address in {city}
            Guest list entry: {name} ({job}), age {age}, coming from {city}
            Witness no. 3: {name}, {job}, {city}, age {age}
            Speaker: {name}. Age {age}. From {city}. Day job: {job}.
            Winner: {name} ({city}), {job}, {age}
            {job} from {city}, {age}, wins the lottery: {name} cannot believe it
            {age}-year-old {job} saves dog in {city}: neighbors thank {name}
            The {job} {name}, {age}, opens a garden in {city}
            {city} mourns {name}, who was a {job} and died at {age}
            {city}: {job} {name} turns {age} today
            At just {age}, {name} is already a {job} in {city}
            Poor {name}, still a {job} in {city} at {age}.
            At {age}, {name} finds that being a {job} in {city} is hard.
            Our dear {name} is finally {age}, lives happily in {city} and is proud to be a {job}.
            The {job} {name}, now {age}, lives in {city}, as everyone knows.
            That {job}, {name}, who is around {age}, moved to {city} yesterday.
            Lucky {name} lives in {city} now, works as a {job} and just turned {age}.
            This {job}, {name}, arrived from {city} yesterday and is {age}.
            Yes, {name} is really {age} already. Still a {job}, still in {city}.
            Did you know that {name} is {age}? And a {job}, here in {city}, of all places!
            Is {name} the {job} who lives in {city}, the one who is {age}?
            Who is {name}? A {job} of {age} who has lived in {city} for a long time.
            How old is {name}, the {job} from {city}? She must be {age}.
            Isn't {name} from {city}? Yes, and she is a {job} and {age} years old.
            Guess what, {name} got a job as a {job} in {city}, at {age}!
            hey, its {name}, im {age}, {job}, in {city} atm
            lol {name} is {age} now?? still a {job} in {city}
            so {name} moved to {city} last month, works as a {job} there i think, and is {age}
            btw {name} is a {job}, {age}, lives in {city} with two cats
            fyi the {job} from {city} is {name}, {age} yrs old
            {name} here! {age}, {city}, {job}. nice to meet you all
            hi all, {job} here, {age}, from {city}, name's {name}
            {age}yo {job} in {city} looking for friends, call me {name}
            anyone in {city} know {name}? {job}, about {age}
            new in the group: {name}, {age}, {job}, {city} :)
            The woman who lives next door in {city} is {name}, who is {age} and whose job is {job}.
            The man they call {name}, who turned {age} yesterday, is a {job} whose office is in {city}.
            The {job} whom we met in {city} was {name}, who had just turned {age}.
            {name}, who comes from {city}, is {age} and works for us as a {job}.
            It was {name}, a {job} aged {age}, who called us from {city} this morning.
            It was in {city} that {name}, then {age}, first found work as a {job}.
            What {name} likes most at {age} is being a {job} in {city}.
            All that {name} ever wanted was to be a {job} in {city}, and at {age} it happened.
            Although {name} is already {age}, she still works in {city} as a {job}.
            While working as a {job} in {city}, {name} turned {age}.
            Since moving to {city}, {name} ({age}) has been much happier as a {job}.
            Even at {age}, {name} gets up early every day to work as a {job} in {city}.
            Employed as a {job} and {age} years of age, {name} rents a room in {city}.
            Raised in {city}, trained as a {job}, now {age}: that is {name}.
            A {job} was found in {city} who is {age} and is named {name}.
            A prize was given to {name}, a {job} of {age}, by the city of {city}.
            {name} was asked to speak about being a {job}; she is {age} and lives in {city}.
            {name} was born in {city}, is {age}, has two children and works nights as a {job}.
            {name} lives in {city}. She is a {job}. She is {age}. She also likes chess.
            Aged {age} and in good health, {name} is a {job} in {city}.
            {age}: that's how old {name} is. Job: {job}. Place: {city}.
            {age} candles on the cake for {name}, our {job} in {city}!
            {age} and a {job}: not bad for {name} from {city}.
            {job} by day, singer by night: {name} from {city} is {age}.
            {job} is the profession of {name}, {city} the home, {age} the age.
            As a {job} in {city}, you meet many people, and {name}, {age}, loves it.
            As far as I know {name} is {age} and probably works as a {job} somewhere in {city}.
            To the surprise of everyone in {city}, {name} became a {job} at {age}.
            With {age} years behind her, {name} still works daily as a {job} in {city}.
            In {city} everybody knows {name} the {job}, who is {age}.
            In spite of being {age}, the {job} {name} runs through {city} each morning.
            Over in {city} there is this {job}, {name}, maybe {age}, very friendly.
            There are many people called {name}; I mean the {job} from {city}, aged {age}.
            Nobody in {city} would think that {name}, the {job}, is {age}.
            Please welcome {name}, aged {age}, who flew in from {city} and is a {job}!
            Please note: {name} is {age}, not a student, but a {job} in {city}.
            Ask {name}, that {age}-year-old {job} over in {city}.
            Let me introduce {name}. She came here from {city}, is {age}, and is a {job}.
            My sister married a {job}. He is {name}, {age}, from {city} originally.
            My boss, a {job}, is called {name}. He's {age} and drives in from {city} each day.
            Her name is {name}, her age is {age}, her town is {city} and her trade is {job}.
            Their daughter {name} is {age} today and works in {city} as a {job}.
            We hired {name} yesterday: {age}, from {city}, a {job}.
            We were looking for a {job} in {city} and found {name}, who is only {age}.
            I heard {name} say: I am {age}, I am a {job}, and {city} is too loud for me.
            I can't believe that {name} is {age}! She is still a {job} in {city}.
            I, {name}, {job}, aged {age}, of {city}, hereby declare this to be true.
            I'm a {job} and I'm {age}. People in {city} know me as {name}.
            "I never wanted to leave {city}," says {name}, {age}, a {job} with three dogs.
            "Call me {name}," said the {job}, who was {age} and came from {city}.
            Neither rain nor snow stops {name}, {age}, who is a {job} in {city}.
            Both {name} and her husband live in {city}; she is {age} and a {job}.
            Besides being a {job}, {name} ({age}) also paints; her studio is in {city}.
            Thanks to {name}, {age}, the town of {city} has a {job} again.
            Two facts about {name}: {age} years old, {job}. Oh, and a third: from {city}.
            - name: {name} - age: {age} - job: {job} - city: {city}
            {name} | {age} | {job} | {city}
            {city} | {name} | {job} | {age}
            {name}; {city}; {age}; {job}
            age={age}, job={job}, name={name}, city={city}
            ({name}, {age}, {city}, {job})
            {name}, {job} ({age}), {city}
            {name} [{age}] {city} - {job}
            {name} of {city}: age {age}, trade {job}, hobbies none.
            {name} lives in {city}, is {age} and is paid as a {job}.
            {name} probably still lives in {city} somewhere, a {job}, {age} or so.
            {name} just moved into the flat upstairs. She is {age}, a {job}, and comes from {city}.
            {name}, who never liked {city} much, is a {job} there anyway at {age}.
            {name}, born in {city} and now {age}, is a {job}.
            Only {age}, fresh from {city} and already a {job}: that's {name}.
            In {city}, at {age}, {name} still enjoys every day as a {job}.
        """)
    ),
    "order": list(
        lines("""
            Customer: {name}; item: {item}; quantity: {quantity}; price: {price}
            Quantity: {quantity}. Item: {item}. Price: {price}. Buyer: {name}.
            Item: {item}, amount paid: {price}, pieces: {quantity}, sold to: {name}
            Total: {price} / buyer: {name} / {quantity} x {item}
            {name} | {quantity} | {item} | {price}
            {item} | {quantity} | {price} | {name}
            {quantity}x {item} -> {name} ({price} dollars)
            - customer {name} - goods {item} - number {quantity} - sum {price}
            buyer={name}, item={item}, qty={quantity}, total={price}
            Order 7, open: {name}, {item} ({quantity} pcs), {price} due
            Receipt for {name}. {item}, {quantity} pcs. Total due {price}.
            INVOICE {name}: {quantity} of the {item}, {price} dollars, due in 30 days
            Delivery note: {quantity} {item}, recipient {name}, value {price} euros
            {quantity} units of the {item} were shipped to {name} yesterday for {price}.
            {quantity} of the {item} went out to {name} this morning, worth {price} dollars.
            {quantity} of those {item}, please, for {name}. I have {price} euros on me.
            {quantity} of our {item} have just been sold to {name} at {price} in total.
            {quantity} boxes of {item} were picked up by {name}, who left {price} in cash.
            {quantity} packs of the {item} for {name}: {price}, tax included.
            {quantity} pairs of {item} cost {name} exactly {price} dollars.
            {quantity} {item} are still missing, writes {name}, who paid {price} long ago.
            {quantity} {item} at {price}: that was the order of {name} yesterday.
            {quantity} {item} is what {name} wants, and {price} is the limit.
            {price} is all that {name} had to pay for these {quantity} {item}.
            {price} dollars, {quantity} {item}, customer {name}. Done!
            {price} euros were paid yesterday by {name} for the {quantity} {item} in the box.
            {price} was transferred by {name} because of the {quantity} {item}.
            {price} sounds like a lot, but {name} really needed those {quantity} {item}.
            {item} for {name}: {quantity} of them, {price} in all
            {item} are what {name} wants, {quantity} in number, for {price} at most.
            {item}, {quantity} of them, were ordered yesterday by {name} for {price} dollars.
            {item} again! {name} now wants {quantity} of them and would pay {price}.
            {item} wanted: {name} takes {quantity} and pays {price}
            The {item} cost {price} and {name} took {quantity} of them home.
            The {item} that {name} ordered, {quantity} in total, came to {price} dollars.
            The {quantity} {item} that were meant for {name} are worth {price} euros.
            The {quantity} {item} on the counter belong to {name}; she still has to pay {price}.
            The {price} dollars from {name} are for the {quantity} {item} we sent yesterday.
            The buyer of the {quantity} {item} is {name}, and the price was {price}.
            The price of {price} was fine with {name}, so {quantity} {item} were packed.
            The man who bought {quantity} of these {item} for {price} was {name}.
            The order placed by {name} covers {quantity} {item} and amounts to {price}.
            The other day {name} walked in and bought all {quantity} {item} for {price}.
            These {quantity} {item} are for {name} only, price {price}.
            Those {item}? {name} bought {quantity} of them for {price} last night.
            This time {name} only needs {quantity} {item}, which makes {price}.
            Poor {name} paid {price} for just {quantity} {item}.
            Lucky {name} got these {quantity} {item} for a mere {price} dollars.
            Our customer {name} finally paid the {price} for the {quantity} {item}.
            As usual, {name} ordered {quantity} {item} again, {price} as always.
            Our {name} saved up {price} to buy {quantity} {item} for the whole class.
            Dear {name}, thank you for buying {quantity} {item}. We charged {price} to your card.
            Dear {name}, your {quantity} {item} have shipped. Amount: {price}.
            Hello {name}, the {item} are ready, all {quantity} of them. Please bring {price} dollars.
            Hi, {name} again. About my {quantity} {item}: is {price} still right?
            hi its {name}, can i get {quantity} {item} pls, i have {price}
            yo {name} wants {quantity} {item}, says {price} is ok
            hey can u send {quantity} of the {item} to {name}? paid {price} already
            {name} says {price} for {quantity} {item}, deal?
            got {price} from {name} today, thats for the {quantity} {item}
            pls pack {quantity} {item} for {name} asap, {price} paid
            just sold {quantity} {item} to {name} for {price} yay
            need {quantity} {item} by noon. bill {name}. {price} max
            quick note, {name} took {quantity} {item} yesterday and left {price}
            Did {name} really order {quantity} {item} for {price}?
            Has {name} paid the {price} for those {quantity} {item} yet?
            Can {name} have {quantity} {item} for {price} dollars, or is that too little?
            Why did {name} spend {price} on {quantity} {item}?
            How many {item} did {name} get for {price}? I think it was {quantity}.
            How much did {name} pay for the {quantity} {item}? It was {price}.
            Who ordered {quantity} {item}? That was {name}, and the bill was {price}.
            What does {name} owe us? {price}, for {quantity} {item}.
            Was it {quantity} {item} that {name} wanted? The order says {price} in total.
            When {name} heard the price, {price}, she bought {quantity} {item} at once.
            While on holiday, {name} bought {quantity} {item} and spent {price} on them.
            Because {name} is a regular, the {quantity} {item} were only {price}.
            Although {price} is a lot of money, {name} ordered {quantity} of the {item}.
            Since the {item} were on sale, {name} took {quantity} and paid just {price}.
            After paying {price}, {name} carried {quantity} {item} out to the car.
            Before leaving, {name} quickly bought {quantity} {item} for another {price} dollars.
            As agreed, {name} gets the {quantity} {item} for {price} flat.
            As soon as {price} arrives, the {item} ({quantity} pieces) go out to {name}.
            For a school project {name} needs {quantity} {item}; the budget is {price}.
            For {quantity} {item}, {name} was billed {price} yesterday.
            From {name} we got {price} in coins for {quantity} {item}.
            With {price} in hand, {name} went to the shop and came back with {quantity} {item}.
            Without asking, {name} ordered {quantity} {item} and spent {price}.
            In return for {price}, {name} was handed {quantity} {item}.
            In total {name} paid {price}, which is fair for {quantity} {item}.
            At the market, {name} found {quantity} {item} and got them for {price}.
            By mistake {name} was charged {price} for {quantity} {item}.
            Today's biggest sale: {quantity} {item} to {name}, {price} dollars.
            Yesterday {name} came by, took the {quantity} {item} and paid {price}.
            Finally the {quantity} {item} for {name} arrived. Price: {price}.
            Probably {name} will take {quantity} {item}, if {price} is still the price.
            Shopper {name} snaps up {quantity} {item} for {price}
            Sold! {quantity} {item} to {name} for {price} dollars.
            Bought by {name}: {item}. How many: {quantity}. For: {price}.
            Charged {price}, shipped {quantity} {item}, name on the box {name}.
            Ordered yesterday by {name}, these {quantity} {item} cost {price} altogether.
            Wrapped and ready: {quantity} {item}. Payer: {name}. Open amount: {price}.
            It was {name} who asked for {quantity} {item}, and {price} is what we quoted.
            It took {price} euros to get {name} her {quantity} {item}.
            There is an order for {quantity} {item}. It comes from {name} and is worth {price}.
            There were {quantity} {item} left, so {name} took them all for {price}.
            I sold {name} the {quantity} {item} for {price}, which seems low.
            I think {name} ordered the {item}. It was {quantity} of them, {price} in total.
            I, {name}, would like to buy {quantity} of your {item} for {price} dollars.
            We shipped the {quantity} {item} yesterday, so {name} now owes {price}.
            My neighbor {name} bought {quantity} {item} online; she paid {price} plus shipping.
            My order: {quantity} {item}. My name: {name}. My card was charged {price}.
            She is called {name}, she bought {quantity} {item}, and she paid {price}.
            Please charge {name} {price} for the {quantity} {item} on table four.
            Please refund {price} to {name}; the {quantity} {item} never arrived.
            Add {quantity} {item} to the order of {name}. New total: {price}.
            Send {name} a bill of {price} for the {quantity} {item} from last week.
            Remind {name} to pay the {price} for those {quantity} {item}.
            "{quantity} {item} for {price}? I'll take them," said {name}.
            "I'll have {quantity} of the {item}," said {name} and put {price} on the table.
            {name} wants them all: {quantity} {item}. The price tag says {price}.
            {name}, who runs a small cafe, ordered {quantity} {item} yesterday for {price}.
            {name}, {item}, {quantity} pieces, {price} paid
            {name} still owes {price} for the {quantity} {item} delivered yesterday.
            {name} was sent {quantity} {item} but was billed only {price}.
            {name} finally got the {item} she wanted, all {quantity}, for {price} euros.
            {name} needs the {item} soon: {quantity} of them, {price} agreed.
            {name} asked about {item}, bought {quantity}, paid {price} and left.
            {name} traded {price} dollars for {quantity} {item} and does not regret it.
            For {price} the {item} go to {name}, who wants {quantity} of them.
            For {price} dollars {name} gets all our {item}, {quantity} in number.
            Paid: {price}. Pieces: {quantity}. Payer: {name}. Goods: {item}.
            What {name} wants are {item}; she pays {price} for {quantity} of them.
            The order of {name}: {quantity} pieces, {price} in total, and the goods are {item}.
            Qty {quantity}, total {price}, goods {item}, customer {name}
            Number: {quantity}. Sum: {price}. Sold to {name}: the {item}.
            There are {quantity} in the box for {name}: {item}, at {price} altogether.
            How many? {quantity}. For whom? {name}. How much? {price}. And what? Just {item}.
        """)
    ),
    "event": list(
        lines("""
            Event: {event}; city: {city}; date: {date}
            Date: {date}; event: {event}; city: {city}
            City: {city}. Date: {date}. Event: {event}.
            {city} | {event} | {date}
            {date} | {city} | {event}
            {event} | {date} | {city}
            {event}, {city}, {date}
            {date}, {city}: {event}
            {event} ({city}, {date}), free entry
            - event: {event} - when: {date} - where: {city}
            where={city}, when={date}, what={event}
            WHAT: {event} WHEN: {date} WHERE: {city}
            When: {date}, from noon. Where: {city}, main square. What: {event}.
            Entry 4: {date} - {event} - {city}, tickets at the door
            Next up: {event} on {date}, live from {city}
            {event} in {city} set for {date}
            {city} gets its {event} back on {date}
            {city} to hold {event} on {date}, mayor says
            {city} again! This {event} on {date} will be the third one there.
            {city} is calling: {date}, {event}, bring your friends.
            {city} was chosen, {date} was agreed, and now the {event} can be planned.
            {city}, which we all love, will have a {event} on {date}.
            {date} it is! The {event} is in {city}.
            {date} finally works for everyone, so the {event} in {city} is on.
            {date} in {city}: a {event} for the whole family
            {date} is still free, so let's do the {event} in {city} then.
            {date} was a lovely day in {city}, mostly because of the {event}.
            {date}, {city}. I was late for the {event} again.
            {event} on {date}! {city}, here we come!
            Tickets for the {event} in {city} go on sale soon; the date is {date}.
            The {event} that {city} has been waiting for is finally here: {date}.
            The {event} is probably on {date}, and it is still in {city}.
            The {event} we talked about yesterday is in {city} on {date}.
            The {event} has been moved from spring to {date}, but {city} stays the place.
            The {event} drew a big crowd in {city} on {date} last time.
            The {event} they held in {city} on {date} was quite small.
            The {event} ended well; {city} was lovely and {date} was the perfect day.
            In {city} the {event} is on {date} this year.
            The city of {city} invites everyone to a {event} on {date}.
            The {event} is almost here. See you in {city} on {date}!
            Every year the {event} starts in {city} early on {date}, with free coffee.
            The day of the {event} is {date}; the city, as always, is {city}.
            The people of {city} will never forget the {event} of {date}.
            The plan is simple: drive to {city} on {date}, enjoy the {event}, drive back.
            The only {event} left is the one on {date} in {city}.
            This {event} is in {city}, not here, and it is on {date}.
            This {event} in {city} will probably start on {date}.
            That {event} in {city}, was it on {date}?
            Our {event} will be on {date} in {city}, rain or shine.
            Our {event} is in {city} this time. Please keep {date} free.
            Your {event} in {city} is confirmed for {date}.
            Your ticket: {event}. Valid in {city} on {date} only.
            My sister is running the {event} in {city} on {date}, so I have to be there.
            My flight to {city} is booked, because the {event} is there on {date}.
            My first {event} was in {city}. It was on {date}, and it rained.
            Her {event} was on {date} in {city}, and about 40 people came.
            Is the {event} in {city} still on {date}?
            Is anyone driving to {city} for the {event} on {date}?
            Will there be a {event} in {city} on {date}?
            Who is coming to {city} with me on {date}? It's for the {event}.
            Where is the {event} on {date}? In {city}, as always.
            When is the {event}? On {date}. And where? In {city}.
            What happens on {date}? There is a {event} in {city}.
            Why is the {event} on {date} so far away, in {city} of all places?
            Did you hear? {city} has a {event} on {date}!
            Do you want to come along to the {event}? It is in {city} on {date}.
            Can you make it to {city} on {date} for our {event}?
            Have you seen the poster? A {event}, on {date}, right here in {city}!
            hey are u going to the {event} on {date}? its in {city} this time
            omg {event} in {city} on {date}!!! who's in
            so the {event} got moved, now its {date} in {city}
            fyi {event} is {date}, {city}, dont be late
            reminder: {city}, {date}, {event}. bring snacks
            ok see u in {city} then, {date}, for the {event}
            cant do {date} sorry, im in {city} for a {event}
            just got tickets!! {event}, {city}, {date}
            anyone else going to {city} for that {event}? {date} btw
            hi all, {event} is on {date} now, and its in {city}, not here
            If nothing goes wrong, {city} will have its {event} on {date}.
            When {city} held the {event} on {date}, all hotels were full.
            While I was in {city} on {date}, I went to a {event} by chance.
            Because {date} is a holiday, the {event} in {city} will be crowded.
            Although the {event} is in {city}, many will come by bus on {date}.
            After the {event} in {city} on {date}, we will stay for dinner.
            Before the {event} begins on {date}, the streets of {city} must be cleaned.
            As announced yesterday, the {event} will be in {city} on {date}.
            As long as it stays dry, {city} can hold the {event} on {date}.
            Despite the cold, the {event} on {date} made {city} happy.
            Thanks to our sponsors, {city} can enjoy a {event} on {date}.
            Organised by students, the {event} in {city} on {date} is open to all.
            Planned for {date} and held in {city}, the {event} lasts three days.
            Held in {city}, the {event} of {date} was the best one yet.
            Postponed: {event} in {city}. New date: {date}.
            Announced today: a {event}, {date}, in the heart of {city}.
            In {city} the {event} was opened on {date} by a choir.
            In the end, {city} got the {event}, and {date} was picked.
            In {city}, a {event} takes place on {date}, just before sunset.
            In less than a week we leave for {city}: the {event} is on {date}.
            On {date} the gates open in {city} and the {event} finally begins.
            On the morning of {date}, thousands came to {city} to see the {event}.
            On {date}, right after lunch, the {event} starts over in {city}.
            For the {event} on {date}, {city} will close its main bridge.
            For one day only, {date}, there's a {event} in {city}.
            At the {event} in {city}, on {date}, I met my wife.
            To see the {event}, be in {city} on {date} and come early.
            In {city} there will be a {event} on {date}.
            Not far from here, in {city}, they have a {event} on {date}.
            Not on {date}! That's the day of the {event} in {city}.
            It is {city} that will host the {event}, and {date} is the day.
            It seems the {event} will be in {city} after all, on {date}.
            It's official: {event} on {date}, host city {city}.
            There will be a {event} soon. It is in {city}, on {date}.
            There was a {event} on {date}, and half of {city} came.
            I can't wait for {date}. The {event}! In {city}!
            I wrote {date} in my diary: {event}, in {city}.
            We need volunteers in {city} on {date}, when the {event} takes place.
            We just heard that {city} moved its {event} to {date}.
            We still need a hotel in {city} for the {event} on {date}.
            They want the {event} to be on {date}, and only {city} is big enough.
            Everybody talks about the {event}: {date}, {city}, free food.
            Dear guests, the {event} begins on {date}. We look forward to seeing you in {city}.
            Dear all, please be in {city} on {date} for our {event}.
            Please note the new date of the {event}, {date}; the city is still {city}.
            Remember the {event} in {city}? It was on {date}.
            Book your room in {city} now, as the {event} on {date} is nearly full.
            Tell everyone that {date} is the new date for the {event} in {city}.
            "See you at the {event} in {city} on {date}," she wrote.
            "On {date} we open the {event}," said the mayor of {city} yesterday.
        """)
    ),
    "product": list(
        lines("""
            Item: {item}; color: {color}; price: {price}
            Price: {price}; item: {item}; color: {color}
            Color: {color}. Price: {price}. Item: {item}.
            {color} | {item} | {price}
            {price} | {item} | {color}
            {item} | {price} | {color}
            {item}; {price}; {color}
            {item}, {color}, {price} euros
            {item} ({color}): {price} dollars
            {item} [{color}] {price}
            - item {item} - colour {color} - price {price}
            price={price}, color={color}, item={item}
            COLOR {color} PRICE {price} ITEM {item}
            Article: {item}. Shade: {color}. Our price: {price} dollars, tax included.
            Lot 14: {item}, {color}, starting at {price}
            Offer of the day: {color} {item}, {price} instead of more
            For sale: {item}, {color}, hardly used, {price} dollars
            For sale, {color} {item}, never used, {price} cash
            Wanted: {item}, must be {color}, up to {price} dollars
            Lost: one {item}, {color}, worth about {price}
            Found yesterday: a {color} {item} with a price tag of {price} on it
            This {color} {item} costs {price}.
            This {color} {item} is {price} dollars, and not a cent less.
            This {color} {item} was {price} yesterday.
            This {color} {item} here? Just {price}.
            This {item} costs {price}. Its color is {color}.
            This {item} costs {price} and is {color}.
            This {item} in {color} has just been reduced to {price}.
            This {item} is still {price}, even the {color} one.
            That {color} {item} over there is only {price} euros.
            That {item} is {price}, the {color} one I mean.
            That {item} you liked, the {color} one, is finally down to {price}.
            These days a {color} {item} costs at least {price}.
            Our {color} {item} is probably the cheapest in town, at {price}.
            Our {item} comes in {color} only and costs {price}.
            Our only {item}, which is {color}, is yours for {price}.
            Your {color} {item} has shipped. You paid {price}.
            Your {item} is {color}, just as you wished. The bill is {price}.
            My {color} {item} cost me {price} euros yesterday.
            My {item} is {color}. I paid {price} for it last year.
            My aunt gave me {price} for my {item}, although it was {color}.
            Her {item} is {color}, and she says it was {price}.
            His {color} {item} is worth {price}, he says.
            Their {item} was {color} and they asked {price} for it.
            The {color} {item} in the corner is {price}.
            The {color} {item} that you saw yesterday now costs {price}.
            The {color} {item} which my sister wanted was {price} euros.
            The {item} is {price} in {color}.
            The {item} is {price}. Why is it {color}, though?
            The {item} that costs {price} is the {color} one.
            The {item} you ordered comes in {color}, and we will charge {price}.
            The {item}, painted {color} by hand, was sold for {price}.
            The {item} was dyed {color} and then offered at {price}.
            The {item} looks great in {color} and is just {price} right now.
            The {item} can be had for {price}, but only in {color}.
            The last {item} we have is {color}; take it for {price}.
            The cheapest {item} is the {color} one at {price}.
            The price is {price}, the color is {color}, and the thing is a {item}.
            The price of this {item} fell to {price}, but just for {color}.
            The color is {color}, the price is {price}. Nice {item}, isn't it?
            The shop at the corner has a {item} for {price}. It's {color}.
            The tag on the {color} {item} says {price}.
            A {item} for {price}? Yes, but only in {color}.
            A {item}, {color}, for {price}: that is a fair deal.
            A {color} {item} can be yours for {price} today.
            A {color} {item} was stolen yesterday; it was worth {price}.
            A bargain: {price} for this {color} {item}.
            A single {color} {item} was left, so I paid the {price}.
            One {item}, {color}, please. Here are {price} dollars.
            One {color} {item}: {price}
            {color} is the color of the {item} that costs {price}.
            {color}, {price} dollars, one {item}
            {color} was her choice, and {price} was the price of the {item}.
            {color} {item}, like new, {price}, pick up only
            {color} {item} costs {price}, buyers complain
            {price} for this {color} {item} is far too much.
            {price} is a good price for a {color} {item}.
            {price} is what I paid yesterday for the {item}, the {color} one.
            {price} dollars and this {color} {item} is yours.
            {price} euros, {color}, nearly new: that's my {item}.
            {price} was all I had, so I took the {item} in {color}.
            {price}, {color}, {item}
            {price}? For a {color} {item}? No thanks.
            {item} for {price}, color {color}
            {item} in {color} now just {price}
            {item} wanted in {color}, will pay {price}
            {item} on sale! Was more, now {price}. Only {color} left.
            {item}: {price} (color: {color})
            {item}, slightly used, {color}, yours for {price} or so
            hey is the {color} {item} still {price}?
            selling a {item}, its {color}, {price} and its yours
            how much for the {color} {item}? {price}? ok deal
            omg i want that {item} in {color} but its {price}
            got a {color} {item} yesterday, only {price} lol
            does the {item} come in {color}? and is {price} the final price
            anyone need a {item}? {color}, {price}, pick up today
            just bought the {item} for {price}, went with {color}
            Is the {item} really {price}? I mean the {color} one.
            Is this {color} {item} still available for {price}?
            Do you have the {item} in {color}? I'd pay {price}.
            Did you pay {price} for that {color} {item}?
            Would you sell me the {item} for {price} if I take it in {color}?
            Why does the {color} {item} cost {price}?
            What do you think of this {item}? It's {color} and costs {price}.
            How can a {color} {item} be {price}?
            Which {item} did you take? The {color} one for {price}.
            Can I get the {item} for {price} in {color}, please?
            If you pay {price}, you get the {color} {item} and a free bag.
            When I asked for a {item} in {color}, they said {price}.
            When it is {color}, this {item} sells for {price}.
            While the others were dear, the {color} {item} was only {price}.
            Since the {item} is {color}, we can lower the price to {price}.
            Before you spend {price} on a {color} {item}, look around a bit.
            For a {item}, {price} is fair, and {color} is a nice color.
            For my birthday I got a {color} {item}; it must have cost {price}.
            In our shop, a {color} {item} sells for {price} on most days.
            In {color} and at {price}, the {item} is hard to beat.
            With a price of {price}, the {item} in {color} is our top seller.
            Without the box, the {color} {item} is just {price}.
            At the flea market, a {color} {item} went for {price}.
            At first it was more, but now the {item}, in {color}, is {price}.
            Made by hand and colored {color}, the {item} costs {price}.
            Reduced to {price}: the {item} in {color}.
            Priced at {price}, the {color} {item} is selling fast.
            Sold yesterday: {item}, {color}, for {price} dollars.
            Available again, the {item} in {color}, still {price}.
            It is {color}, it costs {price}, and it is a {item}.
            It was a {item}, {color}, and they wanted {price} for it.
            It comes in {color}. The {item} I mean. Price: {price}.
            There is a {color} {item} for {price}, and a smaller one for less.
            There was a {item} in the shop that was {color} and cost {price}.
            I saw this {item} yesterday. Color {color}, price {price}, very pretty.
            We only have the {item} in {color}. You can have it for {price}.
            We sold the {color} {item} yesterday; the buyer paid {price}.
            She wanted the {item} in {color} and paid {price} without a word.
            They are selling a {color} {item} online, and it's {price} with shipping.
            Someone offered me {price} for my {item}, because it is {color}.
            Please send me the {item} in {color}. I have paid the {price}.
            Look at this {color} {item}! Only {price}!
            "I'd like the {color} {item}," she said, and paid {price}.
            "{price} for the {item}," he said, "but only the {color} one."
        """)
    ),
    "contact": list(
        lines("""
            Name: {name}; email: {email}; phone: {phone}
            Phone: {phone}; name: {name}; email: {email}
            Email: {email}. Phone: {phone}. Name: {name}.
            {email} | {name} | {phone}
            {phone} | {email} | {name}
            {name} | {email} | {phone}
            {name}; {phone}; {email}
            {phone}, {name}, {email}
            {email}, {phone}, {name}
            {name} ({phone}) {email}
            {name} <{email}> {phone}
            - name {name} - tel {phone} - mail {email}
            mail={email}, tel={phone}, contact={name}
            TEL {phone} MAIL {email} NAME {name}
            Entry 9: {name}, mobile {phone}, mail {email}, no address given
            Emergency contact: {name}. Phone first: {phone}. Mail: {email}.
            Owner: {name}, tel. {phone}, e-mail {email}
            Sender: {name}. Reply to: {email}. Mobile: {phone}.
            Contact person for the press: {name}, {phone}, {email}
            Support: {phone} (phone), {email} (mail), ask for {name} please
            Caller {name}, number {phone}, mail on file {email}
            {name}, office phone {phone}, office mail {email}, second floor
            {name} moved offices yesterday. Phone now {phone}, mail still {email}.
            {name} just wrote from {email} and wants a call back on {phone}.
            {name} still uses {email}, but the phone is now {phone}.
            {name} finally has a phone! The number is {phone}, and the mail is {email}.
            {name} probably won't read {email} today, so call {phone}.
            {name} never answers {phone}, but reads {email} every hour.
            {name} has two ways to be reached: {phone} and {email}.
            {name} gave me this number, {phone}, and this address, {email}.
            {name} wrote it on a napkin: {phone}, then below it {email}.
            {name} asked us to use {email} only, and not to ring {phone} at night.
            {name} can't be reached on {phone} this week; write to {email} instead.
            {name}, whose phone is {phone}, reads mail sent to {email}.
            {name}, who wrote to us yesterday from {email}, can be called at {phone}.
            {name}, the lady from the bank, left her number ({phone}) and her mail ({email}).
            {name}? Sure, here: {email}, and the cell is {phone}.
            {name}: mail to {email}, calls to {phone}, no letters please
            {email} is the best way to reach {name}; {phone} is the second best.
            {email} is where {name} gets mail, and {phone} is for calls.
            {email} or {phone}, either works, just ask for {name}.
            {email} still works for {name}, while {phone} is new.
            {email} and {phone} both belong to our {name}.
            {email}: that's how you write to {name}, who also has a phone, {phone}.
            {phone} is the new number, says {name}, and {email} stays the same.
            {phone} belongs to {name}. If it is busy, try {email}.
            {phone} rang twice yesterday. It was {name}, who also wrote from {email}.
            {phone} or {email}? {name} likes both.
            {phone} is busy all day, so poor {name} begs you to write to {email}.
            {phone} now reaches {name} directly; mail goes to {email} as before.
            {phone}, that's the number. {email}, that's the mail. And {name} is the name.
            Just call {name} on {phone} or, even better, write to {email}.
            Just write {email} a short note, and {name} will ring you from {phone}.
            Poor {name} lost the old phone; the new number is {phone}, mail {email}.
            Our dear {name} can now be reached at {phone} and still at {email}.
            Our new colleague {name} has the mail {email} and the extension is {phone}.
            Our records show {email} and {phone} for {name}.
            Your contact is {name}. Your mails go to {email}. Your calls go to {phone}.
            Your driver today is {name}; call {phone} or mail {email} in case of delay.
            My phone is {phone}, my mail is {email}, and I am {name}.
            My mail is {email}. If it's urgent, my phone is {phone}. Yours, {name}
            My sister {name} changed her mail to {email} and her phone to {phone}.
            Her number is {phone}, her mail is {email}, and her name is {name}.
            His name is {name}, and you'll find him at {email} or on {phone}.
            The plumber, {name}, can be called on {phone}; he rarely checks {email}.
            The person to call is {name}, number {phone}, mail {email}.
            The person behind {email} is {name}, whose number is {phone}.
            The phone number {phone} and the mail {email} are those of {name}.
            The mail came from {email}, signed by {name}, with the number {phone} below.
            The number you called, {phone}, is that of {name}, who prefers {email}.
            The new number, {phone}, is for {name} only; the mail is {email}.
            The best time to call {name} on {phone} is noon. Or write to {email}.
            The landlord is called {name}. Phone: {phone}. He has a mail address too: {email}.
            This is the mail of {name}: {email}. And this is the phone: {phone}.
            This number, {phone}, and this mail, {email}, are both from {name}.
            Anyone with questions should mail {email} or ring {phone} and ask for {name}.
            Someone called {name} rang from {phone} and left {email} as mail address.
            hey its {name}, new phone: {phone}, mail same as before {email}
            hi, {name} here, my number's {phone} and my mail's {email}
            can u text {name} at {phone}? or mail {email}
            save my number pls, {phone}, its {name}, mail {email}
            lost ur number, mine is {phone}, mail me at {email}, {name}
            just ask {name}, {phone}, or if shes busy {email}
            btw {name} got a new mail its {email}, phone still {phone}
            send it to {email} and call {name} after, {phone}
            does {name} still use {email}? or should i call {phone}
            Is {phone} still the number of {name}, or should I write to {email}?
            Is {email} right for {name}? And is the phone {phone}?
            Is this {name}? I got your number, {phone}, from your mail, {email}.
            Does {name} answer mails sent to {email}, or is calling {phone} better?
            Did {name} call from {phone} yesterday or just write from {email}?
            Who is {name}? The one with {email} and the number {phone}.
            Whose number is {phone}? It's the number of {name}, who also has {email}.
            How do I reach {name}? Call {phone}, or send something to {email}.
            Where can I write to {name}? At {email}. And call? At {phone}.
            Could you ask {name} to call me? The number I have is {phone}, the mail {email}.
            If you can't reach {name} on {phone}, then use {email}.
            If {email} does not work, {name} also has a phone: {phone}.
            If in doubt, ask {name}, who answers {phone} all day and {email} at night.
            When {name} is out, {phone} goes to voice mail, so better use {email}.
            When you call {phone}, please ask for {name} and mention the mail from {email}.
            While {name} is on leave, {phone} is off, but {email} is read.
            Because {name} never picks up {phone}, I wrote to {email}.
            Although {name} has a phone ({phone}), mail to {email} is faster.
            Since yesterday {name} has a new mail, {email}, and a new number, {phone}.
            After six, call {name} at {phone}; before that, mail {email}.
            Before you call {phone}, please send {name} a mail: {email}.
            As soon as you land, call {name} on {phone} or write a line to {email}.
            For anything about parking, talk to {name}, {email}, {phone}.
            For {name}, use {phone}; mail goes to {email}.
            From now on {name} uses {email}, and the mobile number is {phone}.
            With questions go to {name}, by mail to {email}, by phone on {phone}.
            Instead of calling {phone}, just mail {name} at {email}.
            In case of fire call {phone}. That's {name}. Then write to {email}.
            In the mail from {email}, {name} asks for a call on {phone}.
            On weekdays {name} answers {phone}, on weekends only {email}.
            By phone {name} is reached at {phone}, by mail at {email}.
            At night, {phone} is switched off, says {name}, so use {email}.
            To book a lesson, contact {name} by mail, {email}, or by phone, {phone}.
            To {name}, mail {email}, phone {phone}: your parcel is here.
            Signed up yesterday: {name}, with mail {email} and phone {phone}.
            Registered with {email} and {phone}, {name} can log in now.
            Reachable at {phone} and {email}: {name}, our night guard.
            Written by {name}. Comments to {email} or by phone to {phone}.
            Listed under {phone} and {email} is a certain {name}.
            It was {name} who called from {phone}; the mail on file is {email}.
            It's best to call {name}, number {phone}, and not to write to {email}.
            There is a note from {name} with a mail, {email}, and a phone number, {phone}.
            I called {phone} twice and wrote to {email}, but {name} is silent.
            I have {email} and {phone} for {name}. Are both still right?
            I am reachable by mail at {email} and by phone at {phone}. Thanks, {name}
            We met yesterday. I'm {name}. Here's my mail, {email}, and my phone, {phone}.
            We tried {phone}, we tried {email}, but {name} did not reply.
            She left her name, {name}, her phone, {phone}, and her mail, {email}.
            They told me to write to {email} or call {phone} and to ask for {name}.
            Please call {name} back on {phone}. She also wrote, from {email}.
            Please update {name}: mail {email}, phone {phone}, rest unchanged.
            Please don't share {phone} or {email}; {name} likes it quiet.
            Ask for {name} when you dial {phone}. Mails go to {email}.
            Note down {email} and {phone}. Both are for {name}.
            Text {name} on {phone}, or drop a mail to {email}, whichever is easier.
            Thanks, {name}. We'll call {phone} tomorrow and send the papers to {email}.
            Dear {name}, is {phone} still your number? We could not reach you at {email}.
            Hello {name}, we will write to {email} and text the code to {phone}.
            Cheers, {name} (mail {email}, cell {phone})
            "Call me on {phone}," wrote {name} from {email}.
            "My mail is {email} and my phone is {phone}," said {name} slowly.
        """)
    ),
    "trip": list(
        lines("""
            Name: {name}; from: {origin}; to: {destination}; date: {date}
            Date: {date}; to: {destination}; from: {origin}; traveler: {name}
            From: {origin}. To: {destination}. Date: {date}. Passenger: {name}.
            To: {destination}. From: {origin}. Who: {name}. When: {date}.
            Departs: {origin}. Arrives: {destination}. Name on ticket: {name}. Day: {date}.
            {name} | {origin} | {destination} | {date}
            {date} | {name} | from {origin} | to {destination}
            {origin} -> {destination} | {date} | {name}
            {name}: {origin} -> {destination} ({date})
            {date}, {origin} to {destination}, seat 14, {name}
            - passenger {name} - from {origin} - to {destination} - day {date}
            from={origin}, to={destination}, on={date}, name={name}
            Ticket 3: {name}, leaving {origin}, arriving {destination}, valid {date} only
            Boarding pass {name} / {origin} to {destination} / {date} / gate 7
            Route: {origin} to {destination}. Rider: {name}. Day: {date}.
            Destination: {destination}. Start: {origin}. Date: {date}. Guest: {name}.
            {name} off to {destination} on {date}, leaving {origin} in tears
            {name} to leave {origin} for {destination} on {date}
            {name} finally leaves {origin} on {date}. Goodbye! Next home: {destination}.
            {name} just booked it: {origin} to {destination}, on {date}, window seat.
            {name} got to {destination} on {date} by bus, coming all the way from {origin}.
            {name} came to {destination} from {origin} on {date} with two big bags.
            {name} was driven to {destination} on {date} by a friend; the drive started in {origin}.
            {name} was sent to {destination} on {date}, straight from the office in {origin}.
            {name} was last seen in {origin} on {date}, boarding a train to {destination}.
            {name} hates flying, so on {date} it's the train from {origin} to {destination}.
            {name} will swim in the sea at {destination} soon: the flight from {origin} is on {date}.
            {name}, who lives in {origin}, visits her mother in {destination} on {date}.
            {name}, whose train leaves {origin} on {date}, hopes to reach {destination} before dark.
            {name}, poor thing, has to go from {origin} to {destination} on {date}.
            {name}, coming from {origin}, landed in {destination} early on {date}.
            {name}, {date}, from {origin} to {destination}, one way
            {name} wants out of {origin}. On {date} it will happen, and {destination} is the goal.
            {name} left for {destination} on {date}. She had been in {origin} for years.
            {name} paid 80 euros for the trip on {date} from {origin} to {destination}.
            {date} is when {name} leaves {origin} for {destination}.
            {date} is the day {name} flies to {destination}; the plane leaves from {origin}.
            {date}: departure from {origin} for {name}, who is on the way to {destination}.
            {date}, early morning. In {origin}, {name} gets on the train to {destination}.
            {date} at last! {name} packs up in {origin} and goes to {destination}.
            {date} was cold in {origin}, but {name} set off to {destination} anyway.
            {destination} awaits {name}, who departs from {origin} on {date}.
            {destination} is far from {origin}, but {name} will make it there on {date}.
            {destination}, here I come! Leaving {origin} on {date}. Yours, {name}
            {destination} was reached by {name} on {date} after a long walk from {origin}.
            {destination} or bust: {name} leaves {origin} on {date}
            {destination} welcomes {name} on {date}; the train from {origin} is on time.
            {destination} by bike from {origin}? Yes, {name} starts on {date}.
            {origin} is where {name} starts on {date}, and {destination} is where she wants to be.
            {origin} will miss {name}, who moves to {destination} on {date}.
            {origin}, {date}: {name} boards the night bus to {destination}.
            {origin} loses {name} to {destination} on {date}
            {origin} was fun, says {name}, but on {date} it's off to {destination}.
            Start in {origin}, end in {destination}: that is the trip {name} makes on {date}.
            Poor {name} must leave {origin} on {date} and drive to {destination} alone.
            Our {name} flies alone from {origin} to {destination} on {date}.
            Our {name} leaves {origin} on {date} and will live in {destination} from then on.
            Our guest {name} arrives in {destination} on {date}; she comes from {origin}.
            Our bus takes {name} from {origin} straight to {destination} on {date}.
            My brother {name} sails to {destination} on {date}, from the old port of {origin}.
            My name is {name}. On {date} I leave {origin}. I will sleep in {destination}.
            My train to {destination} leaves {origin} on {date}, says {name}.
            Your ride, {name}: {date}, pick up in {origin}, drop off in {destination}.
            Your flight from {origin} to {destination} on {date} is confirmed, {name}.
            The flight {name} took from {origin} landed in {destination} on {date}.
            The flight to {destination} is on {date}, so {name} should leave home in {origin} early.
            The train that {name} wants leaves {origin} on {date} and stops in {destination}.
            The man flying to {destination} from {origin} on {date} is {name}.
            The woman who goes from {origin} to {destination} on {date} is called {name}.
            The ticket to {destination} is for {name}, leaving on {date} from {origin}.
            The ticket says {origin} to {destination}, {date}, and the name is {name}.
            The trip to {destination} starts on {date} in {origin}, and {name} is the driver.
            The ferry leaves {origin} on {date} with {name} on board and docks in {destination}.
            This is the plan for {name}: out of {origin} on {date}, into {destination} by night.
            That flight on {date} from {origin} to {destination}? {name} is on it.
            hey its {name}, leaving {origin} on {date}, see u in {destination}
            yo {name} is coming to {destination} on {date}, from {origin} i think
            need a lift from {origin} to {destination} on {date}, {name} here
            {name} needs a ride, {origin} to {destination}, {date}, anyone driving?
            omg {name} is moving to {destination}! leaves {origin} on {date}
            anyone else on the bus to {destination} on {date}? im {name}, getting on in {origin}
            just booked {origin} to {destination} for {date}, under {name}
            pls pick up {name} in {destination} on {date}, coming from {origin}
            fyi {name} flies out of {origin} on {date}, lands in {destination}
            cant wait for {destination}!! leaving {origin} on {date}, {name}
            Is {name} still flying from {origin} to {destination} on {date}?
            Is it on {date} that {name} goes to {destination}? From {origin}, I guess.
            Does {name} leave {origin} on {date} to get to {destination}?
            When does {name} leave for {destination}? On {date}, from {origin}.
            Where is {name} going on {date}? To {destination}, from {origin}.
            Where does {name} come from? From {origin}. She got to {destination} on {date}.
            Who flies from {origin} to {destination} on {date}? It's {name}.
            How will {name} get from {origin} to {destination} on {date}?
            Why does {name} leave {origin} on {date}? Because of a job in {destination}.
            Can {name} get a seat from {origin} to {destination} on {date}, please?
            Have you heard? {name} goes to {destination} on {date} and leaves {origin} for good!
            If {name} leaves {origin} on {date}, she can be in {destination} the next day.
            If all goes well, {name} reaches {destination} on {date}; she set out from {origin}.
            When {name} left {origin} on {date}, the road to {destination} was closed.
            Because {name} has a meeting in {destination}, she leaves {origin} on {date}.
            Although {origin} is nice, {name} leaves it for {destination} on {date}.
            Since the bridge is shut, {name} goes from {origin} to {destination} by boat on {date}.
            After leaving {origin}, {name} reached {destination} on {date}.
            After the show in {origin}, {name} takes a plane to {destination} on {date}.
            After years in {origin}, {name} leaves it on {date} and goes to {destination}.
            On {date}, {name} leaves {origin}; then it's on to {destination}.
            As planned, {name} went to {destination} on {date}, with a rented car from {origin}.
            As of {date}, {name} will live in {destination}; she moves there from {origin}.
            For {name}: one seat, {date}, to {destination}, from {origin}.
            For the wedding in {destination}, {name} will travel from {origin} on {date}.
            From {origin} all the way to {destination}: {name} starts this walk on {date}.
            To {destination} on {date}, that is what {name} booked, from {origin}.
            To get to {destination}, {name} must leave {origin} on {date}.
            In {destination} they expect {name} on {date}; she comes by car from {origin}.
            In {origin} on {date}, {name} hopped on a truck heading to {destination}.
            On {date} it was goodbye {origin} and hello {destination} for {name}.
            On {date} {name} was flown out of {origin} and taken to {destination}.
            On the train from {origin} to {destination} on {date} I met {name}.
            Out of {origin} and into {destination}: {name} makes the move on {date}.
            With a heavy heart, {name} left {origin} on {date} to live in {destination}.
            Without luggage, {name} arrived in {destination} on {date} from {origin}.
            By train, {name} goes to {destination} from {origin} on {date}; it takes nine hours.
            Leaving on {date}: {name}. Going to: {destination}. Coming from: {origin}.
            Tired of {origin}, {name} moves from there to {destination} on {date}.
            Bound for {destination}, {name} left {origin} on {date}.
            Delayed: the flight of {name} from {origin} to {destination} on {date}.
            Departing {origin} on {date} and arriving in {destination} a day later, {name} will be tired.
            It was on {date} that {name} first went from {origin} to {destination}.
            It is {destination} that {name} wants to see, so on {date} she leaves {origin}.
            It's {name} again. My trip to {destination} on {date} now starts in {origin}.
            There is one seat left on {date} from {origin} to {destination}, so {name} took it.
            I drove {name} from {origin} to {destination} on {date}.
            I know {name}. On {date} she flies from {origin} to {destination}.
            I'm leaving {origin} on {date}. Next stop is {destination}. Love, {name}
            We said goodbye to {name} in {origin}; on {date} she was already in {destination}.
            We booked {destination} for {name}, from {origin}, on {date}.
            They moved the trip of {name} to {date}: {destination}, still from {origin}.
            Please book a train on {date} for {name}, {origin} to {destination}, second class.
            Please meet {name} at the station in {destination} on {date}; the train is from {origin}.
            Call {name}: the trip on {date} goes to {destination} and begins in {origin}.
            Change of plan: {name} now flies to {destination} on {date}, but still from {origin}.
            "I leave {origin} on {date}," said {name}, "and I will stay in {destination}."
            "See you in {destination} on {date}," wrote {name} from {origin}.
        """)
    ),
    "booking": list(
        lines("""
            Name: {name}; people: {people}; restaurant: {restaurant}; time: {time}
            Time: {time}; restaurant: {restaurant}; people: {people}; name: {name}
            Restaurant: {restaurant}. Time: {time}. Name: {name}. Guests: {people}.
            Guests: {people}. Place: {restaurant}. Booked by: {name}. From: {time}.
            {name} | {people} | {restaurant} | {time}
            {restaurant} | {time} | {name} | {people} people
            {time} | {name} | {people} pax | {restaurant}
            {time} - {restaurant} - table for {people} - {name}
            {people} people, {time}, {restaurant}, {name}
            {name} ({people} people), {restaurant}, {time}
            - restaurant {restaurant} - time {time} - party of {people} - name {name}
            name={name}, time={time}, people={people}, place={restaurant}
            TIME {time} NAME {name} SEATS {people} PLACE {restaurant}
            Booking no. 44 for {restaurant}: {name}, {people} persons, arriving {time}
            Confirmed: {restaurant}, {time}, {people} guests, host {name}
            Dinner tonight. Where: {restaurant}. When: {time}. How many: {people}. Name: {name}.
            Waiting list of {restaurant}: {name}, party of {people}, wants {time}
            {name} just booked {restaurant} for {people}, at {time}, near the window.
            {name} still wants the table for {people} at {restaurant}, but now at {time}.
            {name} finally got a table for {people} at {restaurant}! We eat at {time}.
            {name} moved our dinner at {restaurant} to {time} and made it {people} people.
            {name} was given a table for {people} by {restaurant}, at {time}.
            {name} was at {restaurant} yesterday at {time} with a group of {people}.
            {name} waits for you at {restaurant}. The time is {time}, and the table is for {people}.
            {name} has asked {restaurant} for {people} seats. They offered {time}.
            {name} loves {restaurant}, so the {people} of us will be there at {time}.
            {name} brings {people} people to {restaurant} at {time}.
            {name}, who turned thirty, booked {restaurant} for {people} people at {time}.
            {name}, whose party has {people} people, will be at {restaurant} by {time}.
            {name}, party of {people}, your table at {restaurant} is ready at {time}.
            {name}, {time}, {restaurant}, {people} seats outside
            {name} plus friends at {restaurant}: {people} in total, {time} sharp
            {restaurant} has a table for {people} at {time}, and {name} took it.
            {restaurant} called: the table of {name} for {people} is only free from {time}.
            {restaurant} at {time}, says {name}, and there will be {people} of us.
            {restaurant} it is. {name} booked, {people} people, {time}, don't be late.
            {restaurant} still has our booking: {time}, {people} people, name {name}.
            {restaurant} was booked by {name} for {time}, for {people} people.
            {restaurant} wants to know if {name} and the group of {people} can come at {time}.
            {restaurant} moved {name} and her party of {people} to {time} yesterday.
            {time} at {restaurant}, {people} of us, and {name} has the booking.
            {time} is when {name} and the group of {people} meet at {restaurant}.
            {time} was the only free slot at {restaurant}, so {name} took it for {people} people.
            {time}! {restaurant}! {name} booked for {people}!
            {time} works for {name}, who will be at {restaurant} with a party of {people}.
            {time} for {people} people at {restaurant}, please. The name is {name}.
            {time} sharp, {name} told us: {restaurant}, table for {people}.
            {people} of us will eat at {restaurant} at {time}, thanks to {name}.
            {people} people want to eat at {restaurant}, and {name} asked for {time}.
            {people} guests, {restaurant}, {time}: all arranged by {name}.
            {people} seats were reserved by {name} at {restaurant}, starting {time}.
            {people} at {time} for {name}, here at {restaurant}.
            {people} persons under the name {name}: {restaurant} expects you at {time}.
            {people} hungry people will meet {name} at {restaurant} around {time}.
            {people} is the number of guests {name} gave to {restaurant}, for {time}.
            Poor {name} sat at {restaurant} at {time}, at a table for {people}, all alone.
            Our dear {name} invites {people} of us to {restaurant} at {time}.
            Our table at {restaurant} is under {name}, for {people}, at {time}.
            Our dinner is at {time}. We're {people} people, the place is {restaurant}, {name} booked it.
            Your table: {restaurant}, {time}, {people} persons. See you soon, {name}!
            My boss {name} takes {people} of us to {restaurant}; we meet there at {time}.
            My name is {name} and I have a table at {restaurant}, {time}, for {people}.
            My party of {people} is late. {name} is the name, {time} was the time, {restaurant} the place.
            The table for {people} that {name} booked at {restaurant} is free from {time}.
            The table is booked: {restaurant}, {time}, {people} people. Ask for {name}.
            The table at {restaurant} at {time} is for {name}, party of {people}.
            The group of {people} coming at {time} to {restaurant} belongs to {name}.
            The birthday dinner of {name} is at {restaurant}, {time}, {people} guests.
            The place is called {restaurant}. We're {people}, {name} booked, and it's at {time}.
            The people {name} invited, {people} of them, should be at {restaurant} by {time}.
            The booking at {restaurant} is in the name of {name}, for {people}, for {time}.
            This is {restaurant}. Your table for {people} at {time} is confirmed, {name}.
            This table is taken: {name}, {people} people, {time}. Best wishes, {restaurant}
            That booking at {restaurant} for {time}? It's {name}, with {people} people.
            hey its {name}, can we get a table for {people} at {restaurant}, {time}?
            yo we r {people} now, {restaurant} at {time}, {name} booked it
            hi {restaurant}, {name} here, we'd be {people}, is {time} ok
            ok so {restaurant} at {time} then, {people} of us, under {name}
            omg {name} got us into {restaurant}! {people} ppl at {time}
            running late, tell {restaurant} that {name} and the {people} of us come at {time}
            can someone book {restaurant} for {people}? {time}, under {name} pls
            dinner at {restaurant}? {time}, {name} has booked for {people}
            fyi {name} changed it, now {time} at {restaurant} for {people}
            table for {people}, {restaurant}, {time}, ask for {name} at the bar
            Is there still room for {people} at {restaurant} at {time}? I'm {name}.
            Is {name} booked at {restaurant} at {time} for {people}?
            Is {time} at {restaurant} okay for {name} and her group of {people}?
            Do you have a table at {time} for {people}? My name is {name}. Is this {restaurant}?
            Does {restaurant} have a table for {people} at {time}? Please use the name {name}.
            Could {restaurant} take {people} people at {time}? It would be for {name}.
            Can we be {people} instead, at {time}? {name} has the table at {restaurant}.
            Who booked {restaurant} for {people} people at {time}? It was {name}.
            When does {name} want the table at {restaurant}? At {time}, for {people}.
            Where do we eat at {time}? At {restaurant}, {people} of us, {name} booked.
            How many come to {restaurant} with {name} at {time}? I was told {people}.
            Why did {name} book {restaurant} for {people} at {time}?
            When {name} and her guests, {people} in all, got to {restaurant}, it was {time}.
            Because {restaurant} is small, {name} booked early for {people}: {time}.
            Because {name} works late, our table for {people} at {restaurant} is at {time}.
            Although {time} is late, {name} took the table for {people} at {restaurant}.
            After the movie, {name} leads a group of {people} to {restaurant}, arriving {time}.
            As always, {name} sits at {restaurant} from {time} on, at the big table for {people}.
            For {name}: {restaurant}, {people} seats, {time}, by the door.
            For {time}, {name} would like a table for {people}, here at {restaurant}.
            For her birthday {name} asked for a table for {people} at {restaurant} at {time}.
            From {time} on, {restaurant} is ours: {name} booked for {people}.
            With {people} people, {name} needs the big room at {restaurant}, from {time}.
            In the name of {name}: table at {restaurant}, {people} people, {time}.
            In {restaurant}, right by the window, {name} has a table for {people} from {time}.
            At {restaurant} there's a table for {people} at {time}. Just mention {name}.
            At {time}, {restaurant} expects {people} people, among them {name}, who booked.
            At {time} yesterday, {people} people were at {restaurant} waiting for {name}.
            By {time} all {people} of us should be at {restaurant}, where {name} has booked.
            Under {name} we have {people} people at {restaurant}, {time}.
            Tonight at {time}: {restaurant}, {people} guests, booked by {name}.
            Yesterday {name} called {restaurant}: {people} people, {time}, no nuts please.
            Booked for {time} by {name}: {restaurant}, {people} seats.
            Reserved! {people} at {restaurant}, {time}, name of {name}.
            Starting at {time}, {name} hosts {people} guests over at {restaurant}.
            It was {name} who reserved {people} places at {restaurant} for {time}.
            There is a table for {people} under {name} at {restaurant}. Time: {time}.
            There are {people} of us. {name} booked {restaurant}. Be there at {time}.
            I told {restaurant} we'd be {people}, at {time}. It's under {name}.
            I, {name}, hereby book {restaurant} for {people} people from {time}.
            I'm meeting {name} at {restaurant} at {time}; the table is for {people}.
            We will be {people}, not fewer, at {restaurant} at {time}. Regards, {name}
            They gave {name} the table for {people} at {time}. Great place, {restaurant}!
            Please tell {name} that {restaurant} can take {people} people at {time}.
            Please change {name} at {restaurant}: new time {time}, still {people} people.
            Add {name} to the list of {restaurant}: {time}, {people} persons, one dog.
            Let's meet at {restaurant}. {name} says {time}, and the table is for {people}.
            Dear {name}, {restaurant} is happy to welcome your party of {people} at {time}.
            Hello {restaurant}, a table for {people} at {time} please. Thanks, {name}
            "A table for {people}, please," said {name} on entering {restaurant} at {time}.
            "{restaurant} at {time}," said {name}, "and we'll be {people}."
        """)
    ),
    "employment": list(
        lines("""
            Name: {name}; company: {company}; job: {job}; year: {year}
            Year: {year}; company: {company}; name: {name}; job: {job}
            Job: {job}. Company: {company}. Since: {year}. Name: {name}.
            Company: {company}. Employee: {name}. Hired: {year}. Position: {job}.
            Start year: {year}. Role: {job}. Employer: {company}. Employee: {name}.
            {name} | {job} | {company} | {year}
            {year} | {company} | {name} | {job}
            {company} | {job} | {year} | {name}
            {job}, {company}, {year}, {name}
            {name}, {job}, {company}, since {year}
            {name} ({job}, {company}, {year})
            {year} - {name} - {company} - {job}
            - employee {name} - role {job} - firm {company} - start {year}
            role={job}, since={year}, employer={company}, name={name}
            NAME {name} FIRM {company} ROLE {job} SINCE {year}
            Staff file 31: {name}, {job}, with {company} since {year}, full time
            Reference: {name} was a {job} here at {company} from {year} on.
            Speaker: {name}, {job}, {company}, on board since {year}
            Signed: {name}, {job}, {company}, {year}
            {company} names {name} as {job} in {year}
            {company} hires {name}: new {job} starts in {year}
            {company} was founded by others, but {name} has been its {job} since {year}.
            {company} still employs {name}, the {job} it hired in {year}.
            {company} just announced that {name} will be its {job} from {year}.
            {company} finally found a {job} in {year}: {name}.
            {company} had no {job} until {year}, when {name} came along.
            {company}, where {name} is now the {job}, hired her in {year}.
            {company} needed a {job} badly, so in {year} they asked {name}.
            {company} gave {name} a chance in {year}, as a {job}.
            {company} owes a lot to {name}, its {job} since {year}.
            {company} thanks {name}, who has been a {job} here since {year}.
            {company}? That's where {name} works, as a {job}, since {year}.
            {year} is the year in which {name} came to {company} as a {job}.
            {year} was a good year for {name}: a new job as a {job} at {company}.
            {year}. {company} is looking for a {job}. {name} applies and gets it.
            {year} marks the start of {name} as {job} of {company}.
            {year}, {company}: {name} signs on as a {job}.
            {year} changed everything: {company} took on a new {job}, {name}.
            {job} wanted! That ad by {company} in {year} is how {name} got the job.
            {job} {name} joins {company} ({year})
            {job} is what {name} has been at {company} since {year}.
            {job} of {company} since {year}: {name}
            {job} at {company} was the first job of {name}, back in {year}.
            {job} since {year}, at {company}. That's {name} for you.
            {name} just became {job} at {company}. The year is {year}.
            {name} finally joined {company} in {year} and is a {job} now.
            {name} probably started at {company} in {year}, as a {job}, I think.
            {name} was hired as a {job} by {company} in {year} and has two children.
            {name} was made {job} in {year} by the board of {company}.
            {name} applied at {company} as a {job} and was taken on in {year}.
            {name} went from student to {job} in {year}, thanks to {company}.
            {name} has a desk at {company} since {year}. The door says {job}.
            {name} signed with {company} in the spring of {year}, as their only {job}.
            {name}, who joined in {year}, is the {job} at {company}.
            {name}, whose job at {company} is {job}, began there in {year}.
            {name}, the new {job} at {company}, started early in {year}.
            {name}, hired in {year}, is a {job} at {company}.
            {name}: hired {year}, {company}, as {job}
            {name}? Oh, the {job} from {company}, there since {year}.
            Poor {name} has been a {job} at {company} ever since {year}.
            Lucky {name} got into {company} in {year} as a {job}.
            Little is known about {name}, except that {company} made her a {job} in {year}.
            Right after school {name} came to {company} as a {job} in the summer of {year}.
            Our {name} has been with {company} since {year} and is a {job}.
            Our firm, {company}, got a new {job} in {year}. You all know {name}.
            Your new {job} is {name}, who has been at {company} since {year}.
            My career at {company} began in {year}. I'm {name}, and I'm a {job}.
            My friend {name} is a {job}. In {year} she was hired by {company}.
            My name is {name} and since {year} I have been {job} at {company}.
            Her first day as a {job} at {company} was in {year}. Her name is {name}.
            His boss at {company} is {name}, a {job} who started in {year}.
            The {job} at {company} is called {name} and has been there since {year}.
            The {job} that {company} hired in {year} was {name}.
            The {job} of {company}, {name}, took office in {year}.
            At {company} the {job} is {name}, in the post since {year}.
            The person {company} hired as {job} in {year} is named {name}.
            The firm {company} has had {name} as its {job} since {year}.
            The year {name} became a {job} at {company} was {year}.
            The new {job} is {name}. {company} signed her in {year}.
            This {job}, {name}, has been at {company} since {year}.
            hey its {name}, im a {job} at {company} now, since {year}
            did u know {name} works at {company}? {job}, since {year}
            lol {name} has been a {job} at {company} since {year}, wow
            so {company} hired {name} as {job} in {year} apparently
            btw the {job} at {company} is {name}, been there since {year}
            {name} started {year}, {company}, {job}, loves it
            just saw that {name} is {job} at {company} since {year}, cool
            anyone remember {name}? {job}, {company}, around {year}
            fyi {company} has a new {job}, {name}, starts {year}
            Is {name} still the {job} at {company}? She began in {year}.
            Is it true that {company} hired {name} as a {job} in {year}?
            Do you know {name}? She's the {job} who came to {company} in {year}.
            Who is {name}? A {job}. At {company}. Since {year}.
            When did {name} join {company} as a {job}? In {year}.
            Where does {name} work? At {company}, as a {job}, and that since {year}.
            Why did {company} hire {name} as its {job} in {year}?
            How long has {name} been a {job} at {company}? Since {year}.
            What does {name} do at {company}? She has been a {job} there since {year}.
            Since when is {name} a {job} at {company}? Since {year}.
            If I remember right, {name} became {job} at {company} in {year}.
            When {company} opened in {year}, {name} was its first {job}.
            While still at school, {name} worked as a {job} for {company}; that was in {year}.
            Because {company} needed a {job} in {year}, they called {name}.
            Since {name} became the {job} in {year}, {company} has grown a lot.
            After a long search, {company} picked {name} as its {job} in {year}.
            As {job} of {company}, {name} has done fine work since {year}.
            As early as {year}, {company} paid {name} to be a {job}.
            Ever since {year}, the {job} at {company} has been {name}.
            For {company}, {name} has been a {job} since {year}.
            From {year} {name} worked for {company}, mostly as a {job}.
            In {year} a {job} was needed at {company}, and {name} got the job.
            In {year}, after much thought, {name} left the army for {company} and became a {job}.
            In {year} it was {name} who became {job} at {company}.
            At {company} since {year}: {name}, our {job}.
            At {company} they all know {name} the {job}, who came in {year}.
            With {name}, {company} got a {job} in {year}.
            Without {name}, its {job} since {year}, {company} would be lost.
            Over at {company}, {name} was hired in {year} and is {job}.
            Hired as a {job} in {year}, {name} never left {company}.
            Made {job} in {year}, when she joined, {name} is still at {company}.
            Employed at {company} as a {job}, {name} has been there since {year}.
            Working for {company} since {year}, {name} is an old hand as a {job}.
            It was as a {job} that {name} began at {company} in {year}.
            It was {company} that hired {name} in {year}, as a {job}.
            There is a {job} at {company} called {name}. She was hired in {year}.
            I hired {name} myself in {year}. We at {company} needed a {job}.
            I have been at {company} since {year}, as a {job}. Regards, {name}
            I, {name}, was employed by {company} as a {job} in {year}.
            We at {company} welcomed {name} as our {job} in {year}.
            She is {name}, a {job}; {company} has employed her since {year}.
            They gave the post of {job} to {name} in {year}, and {company} did well.
            Nobody expected {company} to choose {name} as {job} in {year}.
            Ask {name}, she's been a {job} at {company} since {year}.
            Meet the team: {name}, {job}, at {company} since {year}.
            Congratulations to {name}, {job} at {company} since {year}!
            Dear {name}, we are glad to offer you the post of {job} at {company}, starting {year}.
            "I joined {company} in {year}," says {name}, a {job}.
        """)
    ),
}
