"""Further sentences to take facts from, and further ways to ask for them, by the domains of
`extraction_train.py`.
"""

from __future__ import annotations

from training.content.tool_kinds import lines

SENTENCES: dict[str, list[str]] = {
    "weather": list(
        lines("""
            Yesterday {city} was still {condition}, and the thermometer stopped at {temperature} degrees.
            It was finally {condition} yesterday in {city} after {temperature} degrees the whole morning.
            hey, just got to {city} and it's {temperature} degrees here, {condition} too
            still {condition} here in {city} lol, {temperature} degrees
            ugh, {temperature} degrees again. {city} is {condition} today
            Place: {city}; sky: {condition}; temp: {temperature}
            Temp: {temperature} | Sky: {condition} | Town: {city}
            Location: {city}, reading: {temperature} C, remarks: {condition}
            Condition: {condition}. City: {city}. Degrees: {temperature}.
            Station {city} -- {temperature} C -- {condition}
            {temperature} C, {condition}, {city}, updated a minute ago
            Degrees: {temperature}, place: {city}, outlook: {condition}
            {city} has been {condition} for days, with just {temperature} degrees at noon.
            {city} finally gets a break: {condition} today and {temperature} degrees.
            Our little garden in {city} looks sad because it is {condition} and only {temperature} degrees.
            How can it be {temperature} degrees in {city} when it is {condition}?
            Is it true that {city} is {condition} right now, with {temperature} degrees?
            Did you know that {city} had {temperature} degrees yesterday? It was {condition} as well.
            Why is it always {condition} in {city}? At least we have {temperature} degrees.
            What a day, {condition} and {temperature} degrees, and all that in {city}!
            While most of the country freezes, {city} enjoys {temperature} degrees; it is {condition} there.
            Although it was {condition}, people in {city} went swimming at {temperature} degrees.
            Because it is {condition} in {city}, the concert moves inside. Temperature: {temperature}.
            This morning the temperature in {city} dropped to {temperature}, and it is now {condition}.
            When we left {city} yesterday it was {condition}, and the car showed {temperature} degrees.
            Now that it is {condition} again, {city} is down to {temperature} degrees.
            Before the storm, {city} had {temperature} degrees; afterwards it was just {condition}.
            {city}, where it is {condition} at the moment, reports {temperature} degrees.
            {city}, which had {temperature} degrees at dawn, is expected to be {condition} later.
            The air in {city}, {temperature} degrees warm, feels heavy, and the sky is {condition}.
            Travellers landing in {city} today will find it {condition}, at roughly {temperature} degrees.
            A temperature of {temperature} was measured in {city} yesterday, where it was {condition}.
            {temperature} degrees were recorded this week in {city}. Conditions: {condition}.
            The day in {city} was described as {condition}; {temperature} degrees were reached.
            It is expected to be {condition} in {city} tomorrow, with highs of {temperature}.
            Described as {condition}, the weather around {city} comes with {temperature} degrees.
            {city} SHIVERS AT {temperature} DEGREES, SKY {condition}
            Headline: {city} stays {condition} as temperature hits {temperature}
            Weekend in {city}: {condition}, highs near {temperature}
            {temperature} degrees and {condition}: {city} breaks its record
            Weather alert! {city} turns {condition}, temperatures around {temperature}.
            Good evening from {city}, where it is currently {condition} and {temperature} degrees.
            Good morning, {city}! Today will be {condition}, so expect about {temperature} degrees.
            Dear all, the picnic in {city} is off. It is {condition} and just {temperature} degrees.
            Mum called from {city}. Apparently it is {condition} there. She said {temperature} degrees.
            My sister in {city} complains that it is {condition} and {temperature} degrees every day.
            I'm sitting on a bench in {city}, it's {condition}, and my phone says {temperature} degrees.
            I can't believe it's only {temperature} degrees in {city} today, and it is {condition}.
            We drove through {city} at night. It was {condition}, and {temperature} degrees outside the car.
            The pilot announced {temperature} degrees for {city} and said it would be {condition} on arrival.
            The race in {city} is off as it was {condition}, and {temperature} degrees did not help.
            Our office in {city} has no heating, it is {temperature} degrees inside and {condition} outside.
            Temperature {temperature}, sky {condition}: that was {city} this morning.
            Sky {condition}, {temperature} degrees, greetings from {city} to everyone!
            With the sky over {city} still {condition}, the temperature will probably stay at {temperature}.
            Tomorrow it will probably be {condition} in {city}, with {temperature} degrees.
            Right after lunch it became {condition} in {city}, and it is {temperature} degrees now.
            At {temperature} degrees yesterday, {city} was the warmest spot around, and it was {condition}.
            At dawn: {temperature}. At noon it got {condition}. That's {city} for you.
            Only {temperature} degrees this time, and {condition}, so {city} disappointed us a little.
            There were {temperature} degrees on the market square of {city} yesterday, but it was {condition}.
            The sky over {city} is {condition} tonight and the reading is {temperature}.
            In {city} right now: {temperature} degrees. Looks {condition} to me.
            In {city} yesterday, the sky was {condition} and the air had {temperature} degrees.
            From {city} we hear it is {condition} once more, this time at {temperature} degrees.
            Around {city} it will be {condition}, and the wind makes {temperature} degrees feel colder.
            Near {city}, hikers say it is {condition}, with a temperature of {temperature} degrees.
            Weather for {city} tomorrow: {condition}, around {temperature} degrees, light wind.
            Today's weather: {condition}, wind from the west, {temperature} degrees, measured in {city}.
            Humidity is high, the sky is {condition}, and it is {temperature} degrees in {city}.
            The wind is weak in {city}, the temperature is {temperature} and it is {condition}.
            Pressure is falling. {city} is {condition} and has {temperature} degrees.
            No wind, {temperature} degrees, {condition}. Typical for {city}.
            so {city} is {condition} today?? and {temperature} degrees?? wow
            omg {temperature} degrees in {city}!!! and it's {condition}
            fyi its {condition} in {city} rn, {temperature} degrees
            anyone in {city}? my app says {condition} and {temperature} degrees
            weather {city}: {temperature}, {condition}
            {city} today {temperature} degrees, {condition}
            just checked, {city} is at {temperature} and {condition}
            it is {condition} out there, says my aunt in {city}. {temperature} degrees she says.
            bring a jacket, {city} is {condition} and has {temperature} degrees
            You will need a hat in {city}: {temperature} degrees, and the sky is {condition}.
            Leave the umbrella or take it? {city} is {condition} with {temperature} degrees.
            Nobody goes out in {city} when it's {condition} and {temperature} degrees like today.
            Children built a fort in {city} today while it was {condition}; the temperature was {temperature}.
            They opened the pool because {city} had reached {temperature} degrees, even if it was {condition}.
            The ferry to {city} waits, as it is {condition} there. The harbor reports {temperature} degrees.
            The old thermometer in {city} shows {temperature}, and people call the day {condition}.
            This is the weather desk in {city}: {condition} today, temperature steady at {temperature}.
            This week: {condition}. Temperature this week: {temperature}. City this week: {city}.
            {temperature} degrees, says the sign at the station in {city}, and the sky is {condition}.
            {temperature} is today's temperature in {city}. The sky? Still {condition}.
            {temperature} degrees is a lot for {city}, particularly when it is {condition}.
            {condition} is how I would describe {city} this morning, at {temperature} degrees.
            {condition} again! And again in {city}, and again {temperature} degrees.
            {condition}, {temperature} degrees: nobody in {city} is complaining.
            {city} yesterday: {condition}. Temperature then: {temperature}.
            {city} (now {condition}) expects {temperature} degrees by midnight.
            {city} was {condition} yesterday, {temperature} degrees to be precise.
            {city} is {condition} today, my friends, and {temperature} degrees is all we get.
            {city} this morning, {temperature} degrees, {condition}, lots of traffic.
            {city} will probably be {condition} by tomorrow, with temperatures close to {temperature}.
            It has been {condition} ever since we came to {city}, and the nights have {temperature} degrees.
            It turned out {condition} in {city} after all, with the temperature at {temperature} again.
            A reader from {city} writes that it is {condition} and her balcony has {temperature} degrees.
            Two things about {city} today: it is {condition}, and it is {temperature} degrees.
        """)
    ),
    "payment": list(
        lines("""
            Yesterday {sender} finally paid {amount} dollars to {receiver}.
            {receiver} finally got the {amount} from {sender} yesterday.
            poor {sender} had to give {receiver} {amount} euros
            Poor {receiver} still waits for {amount} euros from {sender}.
            From {sender} yesterday: {amount} for {receiver}.
            Payer: {sender}; payee: {receiver}; sum: {amount}
            Payee: {receiver}; sum: {amount}; payer: {sender}
            Amount: {amount}; paid to: {receiver}; paid by: {sender}
            Sum: {amount}, giver: {sender}, taker: {receiver}
            To: {receiver} | Amount: {amount} | From: {sender}
            Transfer no. 1 - recipient {receiver} - sender {sender} - {amount} EUR
            Recipient: {receiver}. Originator: {sender}. Value: {amount} dollars. Status: done.
            TRANSFER {amount} USD / FROM {sender} / TO {receiver}
            CREDIT {receiver} {amount} (FROM {sender})
            {amount} EUR, beneficiary {receiver}, ordered by {sender}
            {receiver} <- {amount} <- {sender}
            {sender} ({amount}) => {receiver}
            hey {receiver}, did you see the {amount} i sent? love, {sender}
            Hi {receiver}, this is {sender}. I have just sent you {amount} euros.
            Dear {receiver}, please find enclosed {amount} dollars. Yours, {sender}
            Hi, {sender} here, I need to send {amount} to {receiver} today.
            My name is {receiver} and I would like to confirm that {sender} paid me {amount} dollars.
            I'm {sender}, and I still owe {receiver} {amount} euros, which I will send tonight.
            thx {sender}! got the {amount}. cheers, {receiver}
            lol {sender} just paid {receiver} {amount} bucks for pizza
            {sender} sent {receiver} {amount} bucks, just like that
            can you check if {sender} sent {amount} to {receiver} yet
            ok so {receiver} gets {amount} from {sender}, right?
            {sender} pays, {receiver} collects, {amount} in total
            Did {sender} really pay {receiver} the full {amount} dollars?
            Has {receiver} already received {amount} from {sender}?
            Who paid {receiver}? It was {sender}, and it was {amount} euros.
            How much did {sender} give {receiver}? Exactly {amount}.
            Was it {amount} that {receiver} got from {sender} this morning?
            When {receiver} opened the envelope from {sender}, there were {amount} dollars inside.
            As soon as {sender} had the money, {amount} went straight to {receiver}.
            Because {receiver} fixed the roof, {sender} paid {amount} euros.
            Although {receiver} asked for more, {sender} only sent {amount}.
            After {sender} lost the bet, {receiver} was {amount} dollars richer.
            Before leaving, {sender} put {amount} on the table for {receiver}.
            Once {amount} arrives from {sender}, {receiver} will ship the goods.
            Since {sender} was ill, the {amount} euros reached {receiver} late.
            While {receiver} was on holiday, {sender} transferred {amount} as agreed.
            {sender}, who sold the car last week, has paid {receiver} {amount} euros.
            {sender}, generous as always, slipped {receiver} {amount} dollars.
            {receiver}, who repairs bikes, was given {amount} by {sender} yesterday.
            {receiver}, the landlord, gets {amount} each month from {sender}, the tenant.
            The sum of {amount}, which {sender} had promised, is now with {receiver}.
            The {amount} that {receiver} got came from {sender}, not from the bank.
            The money {sender} transferred to {receiver} yesterday was {amount} euros.
            The one who paid was {sender}; the one who was paid was {receiver}; the price was {amount}.
            The person paying is {sender}, the amount is {amount} and the person being paid is {receiver}.
            {amount} dollars have been taken from {sender} and handed to {receiver}.
            {amount} was paid out to {receiver} today. The payer was {sender}.
            {amount} euros left the wallet of {sender} and landed in the pocket of {receiver}.
            {amount} dollars richer: that is {receiver}, thanks to {sender}.
            {amount} is the sum {receiver} was paid yesterday by {sender}.
            {amount} bucks to {receiver}, signed {sender}
            {amount} dollars for {receiver} this month, as always from {sender}.
            {sender} made a payment to {receiver} this morning. The amount was {amount} euros.
            {sender} made {receiver} very happy with a gift of {amount} dollars.
            {sender} still had {amount} dollars left and gave all of it to {receiver}.
            {sender} bought the old bike of {receiver} and paid {amount} for it.
            {sender} wrote a check for {amount} dollars, payable to {receiver}.
            {sender} put {amount} euros into the account of {receiver} yesterday.
            {sender} quickly sent over {amount} so that {receiver} could buy a ticket.
            {sender} has probably sent {receiver} the {amount} by now.
            {sender} is {amount} euros poorer, because {receiver} won the bet.
            {sender} to {receiver} yesterday, {amount} dollars, reason: rent
            {sender} pays {receiver} back {amount} dollars next week.
            {receiver} was handed {amount} euros yesterday by {sender}, who smiled.
            {receiver} is owed {amount} dollars by {sender}, who will pay tomorrow.
            {receiver} confirmed this morning that {amount} euros had come in from {sender}.
            {receiver} earned {amount} dollars by mowing the lawn for {sender}.
            {receiver} charged {sender} {amount} for the repair.
            {receiver} asked {sender} for help and was sent {amount} right away.
            {receiver} got lucky: {sender} gave back the {amount} dollars.
            {receiver} cashed the check from {sender} today, {amount} dollars.
            {receiver} says thanks a lot to {sender} for {amount} euros!
            {receiver} took {amount} from {sender} as a deposit.
            {receiver}: plus {amount}. {sender}: minus the same.
            Today in the ledger: {receiver} received {amount}, and it was {sender} who paid.
            Ledger entry: {sender} debited, {receiver} credited, {amount} dollars.
            Bank news: {amount} euros from {sender} have been credited to {receiver}.
            Bank statement line: incoming {amount}, sent by {sender}, account holder {receiver}.
            Statement: {receiver}, incoming payment, {sender}, {amount} euros
            Invoice paid. Customer {sender}, supplier {receiver}, total {amount} dollars.
            Receipt no. 7: received with thanks by {receiver} the sum of {amount} from {sender}.
            Reminder: {sender}, you owe {receiver} {amount} euros!
            Note to self: {sender} gave {receiver} {amount} for the tickets.
            Please pay {receiver} {amount} dollars. Regards, {sender}
            Please book {amount} as paid: from {sender}, to our colleague {receiver}.
            Please let {receiver} know that {sender} has transferred {amount} today.
            Tell {receiver} that the {amount} dollars came from {sender}.
            Ask {sender} whether {receiver} ever got the {amount} euros.
            Make sure {receiver} gets {amount} from {sender} before the weekend.
            Send {receiver} {amount} euros and take it from the account of {sender}.
            Just now {sender} transferred {amount} to {receiver}, probably for the flat.
            This time {sender} gave {receiver} just {amount} dollars.
            This month {receiver} received only {amount} euros from {sender}.
            Every summer {sender} sends {amount} dollars to {receiver}.
            On behalf of the club, {sender} handed {receiver} a check over {amount} euros.
            At the counter {sender} paid in {amount} for {receiver}.
            In the end it was {receiver} who received {amount} and {sender} who paid.
            In return for the piano, {receiver} was given {amount} euros by {sender}.
            Instead of flowers, {sender} sent {amount} dollars to {receiver} this year.
            With a sigh, {sender} counted out {amount} euros and gave them to {receiver}.
            With the {amount} dollars from {sender}, {receiver} will buy a new bed.
            There was a transfer yesterday; {sender} sent it, {receiver} got it, and it was {amount} dollars.
            There is {amount} waiting for {receiver}. {sender} left it at the desk.
            It took weeks, but {receiver} has the {amount} dollars now, and {sender} is free of debt.
            It was {receiver} who got paid {amount} and {sender} who did the paying.
            Nobody knows why {receiver} was sent {amount} by {sender}.
            Good news for {receiver}: {sender} has finally settled the {amount} dollars.
            Payment from {sender} yesterday, {amount} euros, went through to {receiver} without problems.
            Rent for this month, {amount} euros, tenant {sender}, landlord {receiver}.
            Salary paid: {amount} dollars to {receiver}, employer {sender}.
            A gift of {amount} from {sender} made {receiver} smile.
            Two people are involved: {sender}, who pays, and {receiver}, who gets {amount} dollars.
        """)
    ),
    "pet": list(
        lines("""
            Patient file. Animal: {animal}. Owner: {owner}. Name of the patient: {pet}. Age: {age} years.
            Owner: {owner}; animal: {animal}; name: {pet}; age: {age}
            Owner: {owner} | Pet: {pet} | Species: {animal} | Years: {age}
            Species: {animal}, age: {age}, keeper: {owner}, called: {pet}
            Age: {age}. Animal: {animal}. Called: {pet}. Belongs to: {owner}.
            Animal: {animal} / Name: {pet} / Human: {owner} / {age} years
            Name of animal: {pet}, name of owner: {owner}, species {animal}, {age} yrs
            {animal}, {age} yrs, "{pet}", owner {owner}
            {animal} {age} years, owner: {owner}, name: {pet}
            {owner} - {animal} - {pet} - {age} years
            {age} years, {animal}, {pet}, contact {owner}
            Registered: one {animal}, name {pet}, {age} years of age, holder {owner}.
            MISSING: {pet}, {animal}, {age} years old. Reward! Call {owner}.
            FOUND: a {animal} called {pet}, about {age} years old. The owner is probably {owner}.
            For adoption no more: {pet}, our {age} year old {animal}, now lives with {owner}.
            Appointment: {owner} with the {animal}, {pet}, aged {age}.
            Next in line: {owner} and {pet}. It's a {animal}, {age} years.
            Vaccination card - {pet} ({animal}), {age} years, property of {owner}
            Sweet! {pet} is just {age} years old. It is a {animal} and belongs to {owner}.
            Poor {pet} has a cold. It is a {animal} aged {age}, and {owner}, the owner, is worried.
            Good for {pet}! The {animal} turned {age} yesterday and {owner} threw a party.
            Our dear {pet} finally came home to {owner}. It is a {animal} of {age}.
            poor {owner}, the {animal} is sick again. {pet} is only {age}
            yesterday {owner} came by with {pet}, that's the {animal}, {age} now i think
            omg have you seen the {animal} of {owner}? {pet} is {age} and so cute
            lol {owner} has a {animal} and calls it {pet}, it's {age} already
            my {animal} is {age} and the name's {pet}, greetings {owner}
            hi im {owner}, got a {animal}, {age} yrs, answers to {pet}
            {pet} is {owner}'s {animal} btw, {age} years old
            does {owner} still have that {animal}? {pet} must be {age} now
            {pet} just turned {age}!! it's a {animal}, signed {owner}
            this is {pet}, my {age} year old {animal}. i am {owner}
            Hello, I am {owner}. I'm calling about {pet}, my {animal}, who is {age} and does not eat.
            Hi, {owner} here. My {animal}, {pet}, is {age} years old and needs a checkup.
            Dear doctor, my {animal} has a fever. Her name is {pet}, she is {age}. Yours, {owner}
            I'm {owner} and this is {pet}. Yes, a real {animal}, and yes, already {age} years old.
            What is {pet}? A {animal}. {owner}, the owner, told me it is {age} years old.
            How old is {pet}? The {animal} is {age}, says {owner}.
            Who is {pet}? A {animal}, {age} years old, and the pride of {owner}.
            Whose {animal} is that? It is {pet}, {age} years old, and it belongs to {owner}.
            Did {owner} tell you that {pet} is {age}? It is her own {animal}.
            {pet}, who lives with {owner}, is a {animal} and is already {age}.
            Guess what, {owner} bought a {animal}! It's {age} and is named {pet}.
            {pet} was born {age} years ago. {owner} is the owner, and it is a {animal}.
            Because {pet} is {age} already, {owner} carries the {animal} up the stairs.
            Although {pet} is only {age}, the {animal} obeys {owner} perfectly.
            Since {owner} moved to the country, the {animal}, {pet}, {age} years old, has a garden.
            While {owner} works, the {animal} sleeps. {pet} is {age} years old, after all.
            If you see a {animal}, {age} years old, that listens to {pet}, please tell {owner}.
            After {owner} came back, {pet} was happy. The {animal} is {age} years old.
            Before {owner} adopted it, the {animal} had no name; today it is {pet} and {age} years old.
            Until last year {owner} had no pets, but now there is {pet}, a {animal} aged {age}.
            {owner}, who lives next door, has a {animal} called {pet}, which is {age} years old.
            {owner}, our neighbor, walks {pet} every evening; the {animal} is {age}.
            {owner} never wanted a {animal}, yet {pet}, {age}, sleeps in the bed now.
            {owner} spent the whole day with {pet} yesterday. The {animal} is {age} and still playful.
            {owner} has {pet}, which is a {animal} and {age} years old.
            {owner} finally found {pet}, the {age} year old {animal}, under the sofa.
            {owner} takes the {animal}, {pet}, to the vet today. Age of the animal: {age}.
            {owner} owns just one pet, a {animal} of {age} years. It is called {pet}.
            {owner} gave a {animal} a new home. {pet}, now {age}, seems grateful.
            {owner} insists that {pet} is not fat. It is a {animal}, and {age} years old.
            {owner} won a prize with a {animal}: {pet}, {age} years, best in show.
            {owner} wrote a song about {pet}, a {animal} that is just {age} years old.
            {owner} has a {animal} and loves it more than anything; {pet} is {age}.
            {owner} is the owner. The {animal} is {pet}. The age is {age}.
            {pet}, our patient, is a {animal}. Age {age}. Brought by {owner}.
            {pet}, who is a {animal}, is {age} today, and {owner} has bought a gift.
            {pet}, {age}, is a {animal} and very lazy, and {owner}, the owner, does not mind.
            {pet} was adopted by {owner}. The {animal} is just {age} years old.
            {pet} was found yesterday in the park, a {animal}, {age} years old. It belongs to {owner}.
            {pet} belongs to {owner}, is {age} and happens to be a {animal}.
            {pet} bit {owner} yesterday. The {animal}, {age} years old, had been scared.
            {pet} has {age} candles on the cake. {owner} baked it for the {animal}.
            {pet} is {age} years old. It is a {animal}, and {owner} is its owner.
            {pet} is the name of the {animal}, {age} is its age, and {owner} is its owner.
            {pet} (owner: {owner}) is a {animal} and has reached the age of {age}.
            {pet}: {age} years, {animal}, human {owner}, very friendly
            The {animal} that {owner} brought in yesterday is called {pet} and is {age}.
            The {animal} is owned by {owner}, is {age} years of age, and is named {pet}.
            The {animal}, {age}, was called {pet} by {owner} because of its color.
            The {animal} over there is {pet}. It is {age}, and {owner} looks after it.
            Nothing slows down {pet}, aged {age}, the {animal} of our friend {owner}.
            The proud owner is {owner}, and the {age} year old {animal} goes by the name of {pet}.
            The doctor examined a {animal} this morning: {pet}, {age}, accompanied by {owner}.
            The judge gave {pet} first place. The {animal}, {age}, was led in by {owner}.
            This {animal} here is {pet}, {age} years old, and its owner there is {owner}.
            This is the story of {owner} and a {animal} named {pet}, which is {age} years old today.
            That {animal} is {age} already? Yes, {owner} has had {pet} for a long time.
            Our {animal} is {age}. We named it {pet}, and my wife {owner} feeds it.
            A {age} year old {animal}, {pet}, was rescued yesterday and returned to {owner}.
            A certain {owner} keeps a {animal} of {age} years under the name of {pet}.
            At the clinic: {owner}, holding {pet}. The {animal} is {age} years old.
            At home with {owner} you will meet {pet}, a {animal} of {age}.
            In the garden of {owner} lives a {animal}; {pet} is what they call it and {age} is its age.
            With {owner} on holiday, we feed the {animal}. {pet} is {age} and eats a lot.
            On the photo you see {pet}, the {animal}, {age} years old, with {owner} behind it.
            Of all the pets here, only {pet} is a {animal}. It is {age}; the owner is {owner}.
            Today {pet} gets a bath. {owner} has to hold the {animal}, which is {age} and strong.
            Yesterday {owner} celebrated: the {animal}, {pet}, became {age}.
            Just {age} years old and already famous: {pet}, the {animal} of {owner}.
            Already {age}, the {animal} still plays. Its name is {pet}, and {owner} throws the ball.
            Aged {age} and slightly deaf, {pet} remains the {animal} of {owner}.
            Named {pet} by {owner}, the {animal} is now {age} years old.
            Thanks to {owner}, the {animal} {pet} has a home at the age of {age}.
            There is a {animal} in the kitchen! Don't worry, it's {pet}, {age}, and {owner} will fetch it.
            It says here: {pet}, {animal}. Age {age}. Bill goes to {owner}.
            Happy birthday, {pet}! {age} years old and a {animal} that makes {owner} happy.
            Please give {pet} the pills twice a day. {owner} knows how; the {animal} is {age} years old.
            Ask {owner} about {pet}, a {animal} that is {age} years old.
            Nobody but {owner} may touch {pet}, a {animal} that is {age} and moody.
        """)
    ),
    "book": list(
        lines("""
            Title: {title}; author: {author}; published: {year}
            Author: {author} | Year: {year} | Title: {title}
            Year: {year}. Author: {author}. Book: {title}.
            Written by: {author}, book: {title}, first printed: {year}
            Book: {title} / Writer: {author} / Year of publication: {year}
            Published: {year}; written by: {author}; name of the book: {title}
            {year} - {author} - {title}
            {year}: {title} ({author})
            {author} ({year}): {title}
            {author}, {year}. {title}. Second printing.
            {title}, {year}, {author}
            "{title}", {author}, {year}, hardcover
            Catalog entry: {title}. Writer: {author}. Edition of {year}.
            Shelf 4: {author}, {title}, first edition {year}, good condition
            Now on loan: {title} ({year}), {author}
            Overdue: {title}, by {author}, printed in {year}.
            Reading list: {author}, {title}, from {year}
            Book of the month: {title}. Author of the month: {author}. It appeared in {year}.
            BESTSELLER OF {year}: {title} BY {author}
            {author} PUBLISHES {title} ({year})
            Forgotten novel {title} by {author} from {year} found in attic
            Yesterday I finally finished {title}. {author} published it in {year}.
            Yesterday my aunt gave me {title}, which {author} had written in {year}.
            Last night we talked about {title} by {author}, which came out in {year}.
            just finished {title} by {author}, it's from {year} and so good
            omg {title}!! {author} is a genius, can't believe it's from {year}
            anyone read {title}? it's by {author}, {year} i think
            got {title} for two bucks, {author} wrote it back in {year}
            reading {title} by {author}, from {year}. wow
            looking for a book by {author}, {year}, title {title}
            hey do you still have my copy of {title}? the author is {author} and it's from {year}
            fyi the book is {title}, the writer is {author}, the year is {year}
            still waiting for {title}, it came out in {year}, author is {author}
            Hi, I would like to reserve {title}. The author is {author} and it was published in {year}.
            Dear library, do you have {title} from {year}? It was written by {author}.
            Hello, I'm looking for a novel that {author} published in {year}. It's called {title}.
            Was {title} written in {year} by {author}?
            When did {author} write {title}? In {year}.
            Which book did {author} bring out in {year}? It was {title}.
            Who published {title} in {year}? I believe it was {author}.
            What do you think of {title}, the story {author} wrote in {year}?
            How could {author} know in {year} what we know today? Just read {title}.
            Why does nobody remember {author}, who gave us {title} in {year}?
            Have a look at {title} by {author}; it has been in print since {year}.
            When {title} came out in {year}, the name {author} meant nothing to anyone.
            While on holiday in {year}, {author} began and finished {title}.
            After years of silence {author} returned in {year} with {title}.
            Since {year}, when it first appeared, {title} has made {author} famous all over the world.
            At first {author} wrote only poems, but then, in {year}, came {title}.
            If you like old books, try {title}, which {author} wrote in {year}.
            As early as {year}, {author} warned us in {title}.
            Once {title} was out in {year}, {author} moved to the country.
            {author}, who was a nurse at the time, wrote {title} in {year}.
            {author}, still young in {year}, surprised everyone with {title}.
            {author} worked on {title} at night, and in {year} it was finally printed.
            {author} considered {title}, published in {year}, a failure.
            {author} just reread {title}, a book of their own from {year}.
            {author} dedicated {title} to a friend; it was {year} when the book appeared.
            {author} wrote many books. In {year} it was {title}.
            {author} began with short stories. The first real novel, {title}, followed in {year}.
            {author} is known for one thing only: {title}, from the year {year}.
            {author} put a lot of work into {title}. Publication: {year}.
            {author} never saw a copy of {title}, which was printed in {year}.
            {author} read from {title} yesterday. The book was published in {year}.
            {title} is the best thing {author} ever wrote. It was first sold in {year}.
            {title} is what {author} called the book that came out in {year}.
            {title}, which first appeared in {year}, is still my favorite by {author}.
            {title}, a thick novel of {year}, made a star of {author}.
            {title}, {author}'s only book, dates back to {year}.
            {title} was the title, {author} was the author, {year} was the year.
            {title} was probably written by {author} around {year}.
            {title} was finally released in {year}, to the great joy of {author}.
            {title} - what a book! {author} wrote it in {year} and it still feels fresh.
            {title} by {author} (out since {year}) is still on my desk.
            {title} hit the shelves in {year}. Its writer, {author}, was there to sign copies.
            {title} took {author} a decade; it was published in {year} at last.
            {title} lay open on the table, a gift from {author}, printed in {year}.
            {title} will be a film soon. {author} wrote the book in {year}.
            {year} is printed on the first page, {author} on the cover, and below it says {title}.
            {year} was a good year for {author}, because {title} was a hit.
            {year} marked the arrival of {title}, yet another novel from {author}.
            From {year}: {title}, written by {author}, slightly used
            The {year} novel {title}, by our own {author}, is back in print.
            The book {title}, from {year}, is signed by {author} herself.
            The novel that {author} published in {year} is called {title}.
            The book my teacher mentioned was {title}; {author} wrote it, and it's from {year}.
            The title is {title}, the writer is called {author}, and it was published in {year}.
            The name of {author} will always be linked to {title} and the year {year}.
            The cover says {title}, the spine says {author}, and inside I read {year}.
            The critics praised {title}, which came out in {year}. Even {author} did not believe it.
            The little book called {title} was written by {author} and printed in {year}.
            The writer {author} and the book {title} were on everyone's lips in {year}.
            This is a copy of {title}, which came out in {year}, when {author} was still alive.
            This is {title}, and this is its author, {author}. It came out in the year {year}.
            A book by {author}, published {year} under the name {title}, is being sold today.
            A friend lent me {title}. It is from {year}, and {author} is the author.
            At home {author} wrote {title} long before it was published in {year}.
            An old copy of {title} was sold yesterday; {author} had it printed in {year}.
            At school we had to read {author}. I remember {title}, the one from {year}.
            At the market I found {title}, printed in {year}, the author being {author}.
            For {author}, {year} was special, since {title} was finally in the shops.
            From {author} we got {title} in {year}, and nothing since.
            In my bag: {title}, by {author}, from {year}. In my hand: a cup of tea.
            In {title}, written in {year}, {author} tells the story of a small village.
            In {title}, {author} describes the life of a baker. It was published in {year}.
            In the spring of {year}, {title} was released, and {author} went on a reading tour.
            It was in {year} that {author} surprised us with {title}.
            It was {author} who wrote {title}, and it was published in {year}, not later.
            It says {year} in my copy of {title}, so {author} was quite young.
            Nobody writes like {author}. Take {title}, from {year}, for example.
            On page one of {title}, {author} says it was written in {year}.
            Only one book by {author} is worth your time, {title}, published in {year}.
            Our club chose {title} this time. Author: {author}. It first came out in {year}.
            Out in {year}, forgotten soon after: {title}, a novel by {author}.
            Penned by {author} and printed in {year}, {title} remains popular.
            Please order {title} for the school; {author} is the author and {year} the year.
            Released to great praise in {year}, {title} is by {author}, a former teacher.
            Written in {year} by {author}, the novel {title} is about two brothers.
            Thanks to {title}, the {year} book, {author} could buy a house.
            They named the street after {author}, who wrote {title} here in {year}.
            With {author} as its author and {year} as its year, {title} fits our list.
            You must read {title}. {author} wrote it. It's from {year}, but that doesn't matter.
        """)
    ),
    "shipment": list(
        lines("""
            The {item}, {weight} kg, went to {city} yesterday.
            We shipped a {item} of {weight} kg to {city} yesterday evening.
            The {item} finally reached {city} yesterday. It weighs {weight} kg.
            The truck to {city} today carries a {item} with a weight of {weight} kg.
            The {item} went out to {city} this morning; weight {weight} kg.
            A {item} is going to {city} tomorrow, {weight} kg including the box.
            The {item} left for {city} just now. Scale: {weight} kg.
            To {city} yesterday: a {item}, {weight} kg.
            To {city} tomorrow, please: this {item}. It has {weight} kg.
            Destination: {city}; goods: {item}; weight: {weight} kg
            Weight: {weight} kg; item: {item}; city: {city}
            Goods: {item} | Destination: {city} | Weight in kg: {weight}
            Contents: {item}. Weight: {weight} kilos. Ship to: {city}.
            City: {city}, article: {item}, mass: {weight} kg, status: on the road
            Mass {weight} kg / cargo {item} / target {city}
            Label: {city}. Inside: {item}. Scale: {weight} kg.
            Parcel 3: {item}, {weight} kg, to {city}, fragile
            Waybill: {weight} kg, {item}, consigned to {city}
            Packing list: one {item} ({weight} kg). Deliver to: {city}.
            {weight} kg - {item} - {city}
            {weight} kg / {city} / {item}
            {item}, {city}, {weight} kg, express
            {item} -> {city} ({weight} kg)
            {city}: {item}, {weight} kg, arrives tomorrow
            {city} <- {item}, {weight} kg
            CARGO {item} WEIGHT {weight} KG DESTINATION {city}
            {item} ON ITS WAY TO {city}, {weight} KG
            Lost parcel turns up in {city}: it was a {item} of {weight} kg
            hey, the {item} is on the way to {city}, {weight} kg
            just dropped off the {item} for {city}, {weight} kg according to the lady
            ugh the {item} is {weight} kg, shipping to {city} will cost a lot
            can u send the {item} to {city}? it's {weight} kg
            sent. {item}. {weight} kg. {city}. done for today
            the guys in {city} are getting that {item} btw, it's {weight} kg
            that {item} went to {city} yesterday?? it was just {weight} kg
            ok so a {item}, {weight} kilos, off to {city} asap
            finally shipped the {item}!! {weight} kg to {city}
            need a quote: {item} to {city}, roughly {weight} kg
            Hello, I want to send a {item} to {city}. It weighs {weight} kg. What does it cost?
            Hi, could you pick up our {item}? It has {weight} kg and must go to {city}.
            Dear customer, your {item} ({weight} kg) has left our warehouse and will reach {city} soon.
            Dear team, the {item} for {city} has been packed. Weight: {weight} kg.
            Good morning, I am calling about the {item} we sent to {city}; it was {weight} kg.
            Did the {item} arrive in {city}? It was the parcel with {weight} kg.
            Is it possible to ship {weight} kg to {city}? It's just a {item}.
            Has the {item} left for {city} yet, and does it weigh {weight} kg?
            How heavy is the {item}? It weighs {weight} kg and is to be sent to {city}.
            Where is the {item}? It is on the way to {city} and weighs {weight} kg.
            What weighs {weight} kg and travels to {city}? Our {item}!
            Who ordered a {item} of {weight} kg in {city}?
            Why was the {item} sent to {city}, although it weighs {weight} kg?
            Can the driver take a {item} to {city} today? Weight about {weight} kg.
            When the {item} reached {city}, it weighed only {weight} kg.
            When weighed in {city}, the {item} came to {weight} kg.
            Because it weighs {weight} kg, the {item} goes to {city} by rail.
            Since the {item} is {weight} kg, we sent it to {city} by sea.
            Although the {item} weighs just {weight} kg, {city} will have to wait.
            While the {item} was being loaded for {city}, the scale showed {weight} kg.
            Before the {item} leaves for {city}, write {weight} kg on the box.
            After the {item} had been weighed ({weight} kg), it was flown to {city}.
            As the {item} weighs {weight} kg, two men carried it to the van for {city}.
            Once the {item} is in {city}, check that it still weighs {weight} kg.
            Unless it rains, the {item} will be taken to {city} today, all {weight} kg of it.
            The {item}, which we packed this morning, has {weight} kg and goes to {city}.
            The {item}, {weight} kg heavy, was delivered to a shop in {city}.
            The {item}, bound for {city}, tips the scale at {weight} kg.
            The {item} was picked up, weighed ({weight} kg) and forwarded to {city}.
            The {item} was probably sent to {city}. It had {weight} kg.
            The {item} is for our friends in {city}. Careful, {weight} kg!
            The {item} that we sold last week was sent to {city} and weighed {weight} kg.
            The {item} was sent to {city} yesterday; its weight is {weight} kg.
            The {weight} kg parcel to {city} contains a {item}.
            The {weight} kilos on the bill are right: one {item}, delivered to {city}.
            The {item} weighs {weight} kg and is finally leaving for {city}.
            The {item} will be sent to {city} this week. Its weight: {weight} kg.
            The {item}, {weight} kg to be exact, must be in {city} by noon.
            The box says {city}, the list says {item}, and the scale says {weight} kg.
            The customer, who lives in {city}, gets the {item} tomorrow. It weighs {weight} kg.
            The driver dropped the {item} in {city}. It weighed {weight} kg and broke his foot.
            The plane for {city} took off with {weight} kg on board, namely a {item}.
            The ship carried a {item} to {city}. Weight according to the papers: {weight} kg.
            The destination is {city}, the weight is {weight} kg and the content is a {item}.
            This {item} of just {weight} kg is going to {city}.
            This parcel weighs {weight} kg. It holds a {item} and goes to {city}.
            Our {item} should be in {city} by now. We paid for {weight} kg.
            Our customer in {city} is still waiting for the {item}. Weight: {weight} kg.
            Our van brought a {item} to {city} today, {weight} kg, no damage.
            My {item} is being shipped to {city}, and it's {weight} kg with the packaging.
            My brother in {city} asked for my {item}, so I posted it, {weight} kg.
            Your {item} was handed over in {city} yesterday at noon. Weight: {weight} kg.
            Your order, a {item} of {weight} kg, is now in {city}.
            One more thing for {city}: the {item}, probably {weight} kg.
            One {item} was sent, {city} was the address, {weight} kg was the weight.
            A parcel of {weight} kg reached {city} today. In it was a {item}.
            A {weight} kg {item} was loaded onto the night train to {city}.
            One {item}, weighing {weight} kg, is all we ship to {city} today.
            A {item} of {weight} kg was flown into {city} last night.
            A {item} for {city}? Sure. With {weight} kg it still fits in the car.
            An order from {city} came in: a {item}. It will weigh {weight} kg.
            At {weight} kg, this {item} is the heaviest parcel for {city} this year.
            At the depot in {city} stands a {item} that weighs {weight} kg.
            By air to {city}, {weight} kg, containing a {item}.
            By tomorrow the {item} has to be in {city}; the weight is {weight} kg.
            For {city} we have {weight} kg today: a {item}.
            For the trip to {city}, the {item} was packed in straw. Total weight: {weight} kg.
            From here to {city}, a {item} with {weight} kg takes two days.
            In the back of the van, {weight} kg: a {item} meant for {city}.
            In {city} yesterday a {item} was unloaded; {weight} kg were noted.
            Into the van goes the {item}, {weight} kg, and off we drive to {city}.
            It is {weight} kg, it is a {item}, and it goes to {city}.
            It took three people to carry the {item} in {city}, as it was {weight} kg.
            Just {weight} kg, so the {item} can go to {city} by bike courier.
            Nobody wanted to carry the {item} of {weight} kg all the way to {city}.
            On its way to {city}: your {item}. Weight: {weight} kg. Thank you for your order!
            Please send {weight} kg to {city} - one {item}, well packed.
            Please note that the {item} for the office in {city} weighs {weight} kg.
            Put the {item} on the truck for {city} now and write down {weight} kg.
            Sent to {city} this morning, a {item}. Measured weight, {weight} kg.
            Someone has to bring the {item} to {city}, and {weight} kg is a lot.
            There is a {item} waiting in {city}. It's yours and weighs {weight} kg.
            They weighed the {item} twice: {weight} kg. Then it was off to {city}.
            Tomorrow {city} gets its {item}, which at {weight} kg needs a strong man.
            We charge by weight, so the {item} to {city} counts as {weight} kg.
            We finally found a carrier for the {item}. {weight} kg, destination {city}.
            Weighed: {weight} kg. Packed: {item}. Sent to: {city}.
            With {weight} kg the {item} is just light enough for the post to {city}.
        """)
    ),
    "lesson": list(
        lines("""
            Subject: {subject}; teacher: {teacher}; day: {day}; room: {room}
            Teacher: {teacher} | Day: {day} | Room: {room} | Subject: {subject}
            Room: {room}. Subject: {subject}. Day: {day}. Teacher: {teacher}.
            Day: {day}, class: {subject}, room: {room}, instructor: {teacher}
            {room} / {day} / {teacher} / {subject}
            {day}: {subject}, {room}, {teacher}
            {day} - {teacher} - {subject} - {room}
            {room}: {teacher} ({subject}), {day}
            {subject} | {day} | {room} | {teacher}
            {teacher}, {day}, {subject}, room {room}
            Lesson plan. When: {day}. Where: {room}. What: {subject}. Who: {teacher}.
            Timetable entry: {teacher} / {room} / {subject} / {day}
            Notice: {subject} on {day} with {teacher} has been moved to {room}.
            Substitution: {teacher} takes over {subject} on {day}, room {room}.
            ROOM CHANGE: {subject} WITH {teacher}, {day}, NOW IN {room}
            Course {subject}, held each {day}, room {room}, lecturer {teacher}
            New this year: {subject}! {day}, room {room}. Your teacher: {teacher}.
            Exam in {subject}: {day}, {room}, supervised by {teacher}
            hey, is {subject} with {teacher} still in {room} on {day}?
            ugh, {subject} again on {day}, room {room}, and {teacher} is so strict
            wait so {teacher} does {subject} on {day} now? in {room}?
            omg {teacher} moved {subject} to {day}, it's in {room}
            fyi {subject} is in room {room} on {day}, {teacher} just told us
            guys dont forget {subject} this {day}, {room}, with {teacher}
            {day}, {room}, {subject} with {teacher}, see u there
            anybody know where {subject} is on {day}? i know it's {teacher}. ah, found it: {room}
            no idea who {teacher} is but we have {subject} there, room {room}, {day}
            just heard that {teacher} got room {room} for {subject} this {day}
            Hi, I'm {teacher} and I will teach you {subject} every {day} in room {room}.
            My name is {teacher}. On {day} you will have {subject} with me, room {room}.
            Dear parents, on {day}, {teacher} lets visitors sit in on {subject}. Come to room {room}.
            Dear students, {subject} will take place in {room} this {day}. Best, {teacher}
            Hello {teacher}, could you teach {subject} on {day} in room {room}?
            Good morning. I'm {teacher}, this is room {room}, it's {day}, so let's start with {subject}.
            Is {teacher} still teaching {subject} in room {room} on {day}?
            Where is {subject} on {day}? In {room}, where {teacher} is already waiting.
            When does {teacher} teach {subject}? On {day}, in room {room}.
            Who is in room {room} on {day}? That's {teacher}, with {subject}.
            What is going on in room {room} every {day}? {teacher} is teaching {subject}.
            Did you know that {subject} is now on {day}? {teacher} says to go to {room}.
            Why is room {room} locked on {day}? {teacher} needs it for {subject}!
            Are you coming to {subject} with {teacher} this {day}? It's in {room} again.
            Because no other room is free, {teacher} teaches {subject} in room {room} on {day}.
            Since {teacher} likes room {room}, {subject} stays there on {day}.
            While others sleep on {day}, we sit in room {room} and listen to {teacher} explain {subject}.
            Although {day} is a holiday, {teacher} offers {subject} in room {room}.
            If you want to learn {subject}, be in room {room} on {day} and ask for {teacher}.
            Unless {teacher} is ill, {subject} happens in room {room} on {day}.
            Before you go home on {day}, visit room {room}, where {teacher} teaches {subject}.
            After lunch on {day}, {teacher} has {subject} in room {room}.
            As {teacher} announced yesterday, {subject} starts this {day}, room {room}.
            Now that {subject} is on {day}, {teacher} can finally use room {room}.
            Once a week, on {day}, room {room} belongs to {teacher} and {subject}.
            {teacher}, who also runs the choir, teaches {subject} on {day} in {room}.
            {teacher}, who teaches us {subject}, can be found in {room} on {day}.
            {teacher}, always on time, opens room {room} each {day} to teach {subject}.
            {teacher} just got the keys to room {room} and will teach {subject} there on {day}.
            {teacher} still has a free seat in {subject}, on {day}, room {room}.
            {teacher} finally has a room for {subject}: it is {room}, on {day}.
            {teacher} explained {subject} for two hours on {day}; we sat in {room}.
            {teacher} prefers {day}, so {subject} was put there, in room {room}.
            {teacher} is the one teaching {subject}. Find the class in {room} every {day}.
            {teacher} only teaches on {day}. The subject is {subject}, the room is {room}.
            {teacher} teaches little groups in {room}; {subject} is on {day}.
            {subject} this {day}? Yes, in our usual room {room}, with {teacher}.
            {subject}, which {teacher} teaches, is always on {day}, always in {room}.
            {subject}, my favorite, is on {day}. Thanks to {teacher} we even have room {room}.
            {subject} is given by {teacher}. You need to be in {room} on {day}.
            {subject} is fun now that {teacher} teaches it. Come to {room} on {day} and see.
            {subject} was probably moved from the hall to {room} by {teacher}; the day, {day}, stays.
            {subject} begins on {day}. The teacher will be {teacher} and the room will be {room}.
            {subject} takes place upstairs in {room} each {day}, and {teacher} is in charge.
            {subject} in {room}, on {day}, taught by {teacher}
            {subject} with {teacher}, on {day}, in {room}
            {day} is the day for {subject}. Poor {teacher} has to teach it in room {room}.
            {day} is when {teacher} gives {subject}; students wait outside {room}.
            On {day} in room {room}: {teacher} with {subject}.
            {day} at noon, {room}, {subject}. Don't be late, {teacher} hates that.
            On {day} there is {subject}, says {teacher}, who has booked {room}.
            {room} is the room, {day} the day, {teacher} the teacher and {subject} the subject.
            {room} is free on {day}, so {teacher} can teach {subject} there.
            {room} was painted, but {teacher} still teaches {subject} there on {day}.
            Room {room} is where {subject} is taught. {teacher} waits for you on {day}.
            Room {room} will be used by {teacher} on {day}. Subject: {subject}.
            Room {room} has a new sign: "{subject}, {day}, {teacher}".
            Room {room} on {day}, that's where {teacher} explains {subject} to beginners.
            The teacher is {teacher}, the room {room}, the day {day}, the subject {subject}.
            For {subject} we meet in {room} this {day}; please bring your book, says {teacher}.
            The class in {subject} will be in {room} again on {day}, with {teacher}.
            The class on {day} in {room} is {subject}, and the teacher is called {teacher}.
            The lesson on {day} with {teacher} is about {subject}. It is held in room {room}.
            The class {teacher} teaches in {room} on {day} is {subject}.
            The door of {room} says {subject}, {teacher}, every {day}.
            The lesson on {day} will be {subject}. It is {teacher} who teaches it, and {room} is where.
            The school has hired {teacher} to teach {subject}. Room {room}, {day} only.
            The students love {teacher}, who teaches {subject} on {day} in {room}.
            This {day}, {subject} will be taught by {teacher} in room {room}.
            This term {teacher} has {subject} in room {room}, probably on {day}.
            The lesson in {subject} on {day} is in {room}; it is taught by {teacher}.
            Our class has {subject} on {day}. We go to {room}, and {teacher} comes too.
            Our dear {teacher} will teach {subject} this {day} in {room}.
            My daughter has {subject} on {day} with {teacher}. Is {room} on the first floor?
            My first lesson on {day} is {subject}, in {room}, and my teacher is {teacher}.
            I have {subject} in {room} with {teacher}, but only on {day}.
            I saw {teacher} in {room} on {day}, writing {subject} on the board.
            I'll be late on {day}. Please tell {teacher} in {room} that I can't make it to {subject}.
            We finally have a teacher for {subject}: {teacher}. First lesson {day}, room {room}.
            You have {subject} on {day}, right? Then go to {room} and look for {teacher}.
            A course in {subject} begins on {day}; {teacher} leads it, in {room}.
            At our school, {subject} is on {day}. {teacher} teaches it, and the room is {room}.
            Each {day}, in room {room}, our {teacher} brings {subject} to life.
            Every student of {teacher} has to be in {room} on {day} for {subject}.
            From now on {teacher} will teach {subject} in {room}, and only on {day}.
            In {room} on {day} you can learn {subject}, if {teacher} lets you in.
            In {subject} we have {teacher} now. The lesson is on {day}, room {room}.
            It is {teacher} who has {room} on {day}, and the lesson is {subject}.
            It's {day}, so it's {subject}, so it's {room}, so it's {teacher}.
            On {day} the lesson in {subject} will be in {room} as usual. The teacher is {teacher}.
            On {day}, room {room} is where you will find {subject} and {teacher}.
            Only {teacher} may use {room} on {day}, since {subject} needs quiet.
            Please remind {teacher} about {day}: {subject} is in {room}.
            Taught by {teacher} on {day}, {subject} is the only class in {room}.
            There are still places in {subject} with {teacher}, {day}, {room}.
            With {teacher} in room {room} on {day}, {subject} is never boring.
        """)
    ),
    "match": list(
        lines("""
            Poor {loser}! They lost {score} to {winner} yesterday.
            Winner: {winner}; loser: {loser}; result: {score}
            Loser: {loser}; winner: {winner}; score: {score}
            Score: {score}; lost: {loser}; won: {winner}
            Result: {score} | Won: {winner} | Lost: {loser}
            Won by: {winner}. Lost by: {loser}. Final score: {score}.
            Champion {winner}, runner-up {loser}, final {score}
            First: {winner}. Second: {loser}. Final: {score}.
            {score} / winner {winner} / loser {loser}
            {score} - {winner} beat {loser}
            {winner} ({score}) over {loser}
            {winner} {score} {loser}
            {winner} d. {loser} {score}
            {winner} beat the visitors, {loser}, by {score} yesterday.
            {winner} def. {loser}, {score}, full time
            {loser} out, {winner} through. Score {score}.
            {loser} lost to {winner} yesterday, {score}.
            {loser} were beaten by {winner} this afternoon. Result: {score}.
            {winner} STUNS {loser} WITH {score}
            {loser} CRASHES OUT AFTER {score} DEFEAT BY {winner}
            {score}! {winner} HUMBLES {loser}
            Shock in the cup: {loser} beaten {score} by {winner}
            {winner} march on after {score} win, {loser} go home
            Sad night for {loser} as {winner} wins {score}
            omg {winner} destroyed {loser} lol, {score}
            lol {loser} got smashed {score} by {winner}
            did u see that? {winner} {score} against {loser}, crazy game
            {score}!!! {winner} did it!!! sorry {loser}
            cant believe {loser} lost again, {score}, and to {winner} of all teams
            so {winner} won? yeah, {score}, {loser} was terrible
            yesss {winner}! {score} and {loser} is finally out
            ugh, {loser} lost. {score}. {winner} was just better
            just watched {winner} beat {loser}, it was {score}
            still happy about that {score}, {winner} was great and {loser} was not
            fyi {winner} won yesterday, {score}, against {loser}
            Did {winner} really beat {loser} {score} last night?
            Was it {score} when {winner} defeated {loser}?
            Have you heard? {loser} lost to {winner}, and the score was {score}.
            Who won? {winner} did. {loser} lost the match {score}.
            What was the score when {loser} lost to {winner}? It was {score}.
            How did {loser} manage to lose {score} against {winner}?
            Who would have thought that {loser} would go down to {winner} by {score}?
            Why did {winner} beat {loser} so easily? It ended {score}.
            When the whistle blew, {winner} had won {score} and {loser} sat on the grass.
            While {winner} danced, the players of {loser} cried. It had ended {score}.
            Although {loser} played well, {winner} won the match {score}.
            Although {winner} was a man down, {loser} still lost {score}.
            Because {loser} missed every chance, {winner} won {score}.
            After {loser} had led for an hour, {winner} turned the game and won {score}.
            After extra time it was {score}, so {winner} goes on and {loser} goes home.
            Before a small crowd {winner} took apart {loser}, {score}.
            As the rain fell, {loser} slipped to a {score} defeat against {winner}.
            Since yesterday {winner} is first in the table, after a {score} win over {loser}.
            Even though it rained, {winner} won {score}; {loser} was no match.
            Unlike last year, {winner} won this time, {score}, and {loser} came second.
            {winner}, who were the favorites, won {score} against {loser}.
            {winner}, still unbeaten, sent {loser} home with a {score} defeat.
            {winner}, led by a new coach, outplayed {loser} and won {score}.
            {winner} was ahead of {loser} from the first minute, and won {score}.
            {winner} was simply too strong. {loser} lost, {score}.
            {winner} finally won again: {score} at home, with {loser} as the victim.
            {winner} just about beat {loser}. The score in the end was {score}.
            {winner} will play in the final, having beaten {loser} {score}.
            {winner} needed extra time to get past {loser}, but the {score} counts.
            {winner} ended the run of {loser} yesterday with a {score} victory.
            {winner} hosted {loser} and kept the points, {score}.
            {winner} played away against {loser} and won {score}.
            {winner} proved too much for {loser} in a {score} game.
            {winner} leads the table now; {loser} lost to them, {score}.
            {winner} and {loser} met in the rain, the former winning {score}.
            {winner} showed no mercy yesterday: {score}. Poor {loser}.
            {winner} is through! {score} against {loser} was enough.
            {winner} got the cup, {loser} got the tears, and the board said {score}.
            {winner} surprised everybody. The final score was {score}, and {loser} went out.
            {loser}, who had not lost all season, went down {score} to {winner}.
            {loser}, tired and slow, could not prevent a {score} win by {winner}.
            {loser}, the champion of last year, lost the opening game {score} to {winner}.
            {loser} was ahead early, yet {winner} came back to win {score}.
            {loser} never recovered from the early goal, and {winner} won {score}.
            {loser} had to watch {winner} lift the cup after the {score}.
            {loser} still cannot beat {winner}; this time they lost {score}.
            {loser} probably deserved more than this {score} loss to {winner}.
            {loser} congratulated {winner} on the {score} win.
            {loser} blamed the referee for the {score} defeat by {winner}.
            {loser} suffered yet another defeat yesterday, {score}, this time against {winner}.
            {loser} went home with nothing after {winner} won {score}.
            {loser} dropped to last place, since {winner} beat them {score}.
            The fans of {loser} left early; {winner} had made it {score}.
            {loser} tried everything, but in the end it was {winner} who won, {score}.
            {score} it ended, {winner} cheering and {loser} in tears.
            {score} is the final score. {loser} is beaten, {winner} is the winner.
            {score} was too much for {loser}, and {winner} is the new champion.
            {score} against {loser}! The players of {winner} could hardly believe their luck.
            {score} for {winner}, and nobody felt sorry for {loser}.
            {score} at full time. Congratulations to {winner}, bad luck to {loser}.
            {score} down, {loser} gave up, and {winner} celebrated.
            {score}, and the winner is {winner}! {loser} has to try again next year.
            The {score} win took {winner} past {loser} in the table.
            The {score} loss to {winner} hurts, said the captain of {loser}.
            The match was won by {winner}. The score was {score}. The other team was {loser}.
            The match ended with a win for {winner}: {score}. That leaves {loser} without a point.
            The game was lost by {loser}, who could not keep up with {winner}. Result: {score}.
            The better team won yesterday, and that was {winner}, not {loser}. Score: {score}.
            The cup goes to {winner} this year. In the final they beat {loser} {score}.
            The coach of {winner} praised {loser} after winning {score}.
            The losing side was {loser}, the winning side {winner}, the score {score}.
            The winning team, {winner}, scored late, and {loser} lost {score}.
            The crowd sang for {winner}, who had just beaten {loser} {score}.
            The players of {loser} looked tired, and {winner} made them pay, {score}.
            This {score} was the biggest win {winner} ever had over {loser}.
            This time {loser} lost. {winner} won with {score}.
            Our team, {winner}, beat {loser} yesterday, {score}.
            Our team, {loser}, lost {score} to {winner}, but we had fun.
            My team is {winner}, and yesterday we beat {loser} {score}!
            My poor {loser}! Beaten {score} at home by {winner}.
            I was at the stadium when {winner} won {score} against {loser}.
            I bet on {loser}, but {winner} won {score}.
            We saw {loser} lose {score}; the other team, {winner}, was much faster.
            A clear {score} was enough for {winner} to leave {loser} behind.
            A penalty decided it: {winner} beat {loser}, final score {score}.
            A bad day for {loser}, a good day for {winner}, {score}.
            Against all odds {winner} beat the team called {loser}, {score}.
            At half time {loser} led, at full time it was {score} for {winner}.
            At home {winner} is hard to beat, as {loser} found out yesterday: {score}.
            By the end of the day, {winner} had a {score} win and {loser} had a long trip home.
            For {loser} the season is over after a {score} against {winner}.
            In front of their own fans {loser} lost {score}, and {winner} took the points.
            In the final, {loser} had no answer to {winner}; {score} says it all.
            It was a sad evening for {loser}: beaten by {winner}, {score}.
            It was {winner} who won and {loser} who lost. The score? {score}.
            It is over! {winner} beats {loser} with a final score of {score}.
            Nobody could stop {winner} yesterday, least of all {loser}. It ended {score}.
            No luck for {loser}: {winner} wins again, this time {score}.
            On the road {winner} won {score}, which makes {loser} the new last in the table.
            Once again {loser} finished behind {winner}. Result of the match: {score}.
            Three points for {winner}, none for {loser}, after a {score} in the rain.
            Thanks to two late goals {winner} beat {loser}; final result {score}.
            There was no doubt about the winner: {winner}, {score}, with {loser} playing badly.
            With a {score} defeat, {loser} says goodbye to the cup, and {winner} moves on.
            With {loser} down to ten men, {winner} had it easy and won {score}.
            Without its captain {loser} was lost, and {winner} won {score}.
            Yesterday's game: {winner} first, {loser} second, {score}.
        """)
    ),
}

# Real line breaks are written "\\n" here, and put in below.
_INSTRUCTIONS = lines(r"""
    can you make a json object out of this? "{sentence}" it should have {fields}
    can you make json out of this for me? {sentence}\nit should have {fields}
    could u turn this into json real quick: {sentence}\nkeys are {fields}
    pls json: {sentence}\ni want {fields}
    {sentence}\n\ncan you json that? {fields}
    {sentence}\n\nSo, what would {fields} be? JSON please.
    {sentence}\n\nI'd like the above in JSON. It should have {fields}.
    {sentence}\n\nThe JSON for this should have {fields}.
    {sentence}\n\nThat was the text. The schema comes now: {fields}
    {sentence}\n\nPlease fill in this schema accordingly:\n{fields}
    {sentence}\n\nUse only what is written above to fill {fields}. JSON.
    {sentence}\n\nSchema for the answer:\n{fields}
    {sentence}\n\nNow write that down as an object with {fields}.
    {sentence}\n\nRead that? Good. Give me back {fields} in JSON.
    {sentence}\n\nWith this information, complete: {fields}
    {sentence}\n\n^ extract {fields} from that, in json
    {sentence}\n\nReply with one JSON object. It needs {fields}.
    {sentence}\n\nWhich values belong to {fields}? Answer with JSON.
    {sentence}\n\nTask: JSON. Fields: {fields}.
    {sentence}\n***\n{fields}
    {sentence} (as json with {fields})
    {sentence} ... as JSON this has {fields}. Write it.
    {sentence} // {fields}
    {sentence} >>> {fields}
    {sentence} That should become JSON with {fields}.
    {sentence} Out of this I want {fields}, in JSON format.
    {sentence} Okay, now put {fields} in a JSON object.
    "{sentence}"\n\nHow does this look as JSON? Make it have {fields}.
    "{sentence}"\nFill: {fields}
    "{sentence}" => {fields}
    "{sentence}" <-- json with {fields} please
    "{sentence}" I need to store this. The columns are {fields}. JSON object, please.
    "{sentence}" Can I get this as JSON? The keys should be {fields}.
    "{sentence}" is what I was told. What do I enter for {fields}? Reply in JSON.
    So I have this: {sentence}\nAnd I want this: {fields}\nCan you do that as JSON?
    So here's the thing: {sentence}\nI have to fill {fields}. Give me JSON.
    This is what she wrote: "{sentence}" I have to fill a form with {fields}. Give me the JSON.
    This line was in my notes: {sentence} I want it as a JSON object that has {fields}.
    This is the input: {sentence}\nThis is the shape of the output: {fields}
    This needs to be JSON: {sentence}\nIt must contain {fields}.
    This has to go into our system as JSON: {sentence}\nThe system knows {fields}.
    Take this: {sentence}\nMake this: {fields}
    Take a look at this sentence and tell me {fields} as a JSON object. {sentence}
    Take the sentence "{sentence}" apart and give me JSON with {fields}.
    Have a look: {sentence}\nWhat would you put for {fields}? JSON only, please.
    Have a read of this and send JSON with {fields}. {sentence}
    Help me fill in {fields}. All I have is this text: {sentence}\nJSON, please.
    Help me turn a sentence into data. Sentence: {sentence} Data: {fields}
    I have a sentence and a schema. Sentence: {sentence} Schema: {fields}
    I have a schema: {fields}\nI have a sentence: "{sentence}"\nPlease combine them into JSON.
    I am filling a table with {fields}. What goes into the row for "{sentence}"? Use JSON.
    I am building a data set. For "{sentence}" I need JSON with {fields}.
    I need to enter this into a form that has {fields}: "{sentence}" What should it be, in JSON?
    I was sent the following. {sentence} Please get {fields} out of it as JSON.
    I don't need the whole text, I only need {fields}. In JSON. {sentence}
    I only want to know {fields}. Say it in JSON. The text is "{sentence}"
    What I have: {sentence}\nWhat I need: JSON with {fields}
    What I need is {fields}. What I have is "{sentence}". JSON, please.
    What would a JSON object with {fields} look like for this? {sentence}
    What can you tell me about {fields}? Text: {sentence} Answer: JSON.
    What is said here about {fields}? Put it in JSON. {sentence}
    How would you fill {fields} from this message? JSON only. {sentence}
    How would this look as JSON with {fields}? {sentence}
    Is it possible to make JSON from this? It should hold {fields}. {sentence}
    Do you see {fields} in the following text? Return them as JSON. {sentence}
    Would you mind turning the next line into JSON? I am after {fields}.\n{sentence}
    Would you fill in this form for me? {fields}\nThe facts: {sentence}
    Could you read this and hand me {fields} as JSON? "{sentence}"
    Could you please look at "{sentence}" and work out {fields}? JSON would be great.
    Could this be made into JSON ({fields})? {sentence}
    Can I have a JSON version of this? Fields: {fields}\n{sentence}
    Can you tell {fields} from this sentence? Put your answer in JSON.\n\n{sentence}
    Can you get the facts out of "{sentence}" and put them under {fields}? As JSON.
    Please look at the text, then at the schema, then answer in JSON.\nText: {sentence}\nSchema: {fields}
    Please read the schema first. {fields}\nThen read the text. {sentence}\nThen answer with JSON.
    Please transcribe this note to JSON with {fields}. {sentence}
    Please write the following as JSON with {fields}. {sentence}
    Please digest this message into {fields}, in JSON: {sentence}
    Please file this for me. Keys: {fields}. Format: JSON. {sentence}
    Please take down {fields} (JSON): {sentence}
    Let's do some data entry. The columns are {fields}. The text is: {sentence}
    Let's turn text into data. {sentence} What are {fields}? JSON.
    Let me have {fields} from this line as JSON. {sentence}
    We keep track of {fields}. Someone just wrote: "{sentence}" What is the JSON?
    We just got this in: {sentence}\nWe keep track of {fields}. JSON object, please.
    Our database has {fields}. Insert this, as JSON: {sentence}
    Our form asks for {fields}. The caller said: "{sentence}" Write the form as JSON.
    My boss wants {fields} as JSON. All she gave me is this: {sentence}
    My script needs JSON with {fields}, but I only have text: {sentence}
    Someone left this on my desk: {sentence}\nI need it as JSON, and it should have {fields}.
    The message I got is "{sentence}" and the keys I want are {fields}. JSON.
    The text comes first: {sentence}\nThen the keys: {fields}\nYou write the JSON.
    The keys come first: {fields}\nThen the text: {sentence}\nYou write the JSON.
    The columns of my sheet are {fields}. Give me the row for this line as JSON: {sentence}
    The following text talks about {fields}. Find the values and write JSON. {sentence}
    There is a text, "{sentence}", and there are these keys: {fields}. Match them up in JSON.
    Here comes a line of text. {sentence} And here come the keys. {fields}
    Here's the text. {sentence} Here's what I want from it, as JSON: {fields}
    Here's what happened: {sentence}\nHere's what I need to report: {fields}\nJSON, please.
    Go from text to JSON. Text: {sentence} JSON: {fields}
    Go find {fields} in this and write JSON: {sentence}
    Look for {fields} in the message. If you find them, return JSON. Message: {sentence}
    Look at this one: "{sentence}" Now give me an object having {fields}.
    Look up {fields} in the text and note them in JSON.\n\nText:\n{sentence}
    Work through the sentence and write {fields} into a JSON object. Sentence: {sentence}
    Write JSON. The keys: {fields}. The facts: {sentence}
    Write down what this says about {fields}, as JSON. "{sentence}"
    Squeeze {fields} out of this text; JSON only: {sentence}
    Distill the text to JSON. Keep {fields}. Text: {sentence}
    Strip this down to JSON with {fields}. Nothing more: {sentence}
    Split this up into {fields}. Give the result as JSON. {sentence}
    Find {fields} in the sentence and list them as JSON. Sentence: {sentence}
    Scan the text for {fields} and return an object. {sentence}
    Spot {fields} in here, answer with JSON: {sentence}
    Enter this into a record with {fields}, as JSON. {sentence}
    Model this as an object with {fields}. "{sentence}"
    Reformat as JSON. Original text: {sentence} Keys to use: {fields}
    Only the values of {fields} please, without extra words, as JSON. {sentence}
    Only take the name or number itself, no extra words. Keys: {fields}. Text: {sentence}
    Short values, please, exactly as in the text. {fields} as JSON.\n\n{sentence}
    Text to process: {sentence}\n\nExpected keys: {fields}
    Message received:\n{sentence}\n\nExpected JSON:\n{fields}
    Caller: {sentence}\nForm: {fields}
    User says: {sentence}\nWe want: {fields}
    Post: {sentence}\nFacts wanted: {fields}\nFormat: JSON
    Sentence first: {sentence} Schema second: {fields}
    Question: which values do {fields} have? Text: {sentence} Answer format: JSON
    Example text: {sentence}\nStructure of the answer: {fields}
    JSON wanted! Keys: {fields}. Text: {sentence}
    JSON, keys as follows: {fields}\nText as follows: {sentence}
    {fields} - that's what I need in JSON, and this is the text: {sentence}
    {fields} -- please read them off this line and give JSON: {sentence}
    {fields}\n\nAbove is the schema. Below is the text. Answer in JSON.\n\n{sentence}
    {fields}\nThese are the keys. Get the values here: {sentence}
    {fields}\n***\n{sentence}
    For {fields}, what does the following say? JSON. {sentence}
    For the text "{sentence}" the object has {fields}. Write the object.
    From this message, and only from it, take {fields}: {sentence}\nReturn an object.
    In the text "{sentence}" you will find {fields}. Return these as a JSON object.
    Given this note, "{sentence}", what would be the JSON with {fields}?
    Now this one: {sentence}\nSame format: {fields}
    One JSON object, please, and it should have {fields}. It's about this: {sentence}
    Quick job: text in, JSON out. Text: {sentence} JSON keys: {fields}
""")
INSTRUCTIONS: list[str] = [text.replace("\\n", "\n") for text in _INSTRUCTIONS]
