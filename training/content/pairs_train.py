"""Sentences that mean the same, for training sentence embeddings.

A group is a block of lines; any two of them are a pair. `(a|b)` is a choice made anew in every sentence, a
`{slot}` has one value for the whole pair.
"""

from __future__ import annotations


def _list(text: str) -> list[str]:
    return [item.strip() for item in text.split(",")]


SLOTS: dict[str, list[str]] = {
    "city": _list(
        "Paris, Rome, Oslo, Tokyo, Berlin, Madrid, Lisbon, Vienna, Prague, Dublin, Athens, London, Cairo"
    ),
    "city2": _list(
        "Hamburg, Milan, Geneva, Lyon, Porto, Krakow, Bristol, Boston, Chicago, Seoul, Delhi, Lima"
    ),
    "name": _list(
        "Anna, Tom, Maria, Ben, Lucy, Omar, Priya, Jonas, Grace, Leo, Nina, Paul, Sara, Felix, Emma"
    ),
    "day": _list("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday"),
    "month": _list("January, March, April, May, June, July, August, October, November, December"),
    "n": _list("two, three, four, five, six, seven, eight, nine, ten, twelve, twenty, thirty, fifty"),
    "relative": _list(
        "mother, father, sister, brother, aunt, uncle, cousin, grandmother, grandfather, daughter, son"
    ),
    "pet": _list("cat, dog, rabbit, hamster, parrot, puppy, kitten, guinea pig"),
    "dish": _list(
        "pancakes, tomato soup, lentil curry, banana bread, lasagne, apple pie, fried rice, potato salad"
    ),
    "fruit": _list("apples, pears, plums, cherries, strawberries, grapes, peaches, oranges, bananas"),
    "drink": _list("coffee, green tea, orange juice, hot chocolate, lemonade, milk, mint tea"),
    "tongue": _list(
        "French, German, Spanish, Italian, Japanese, Polish, Dutch, Portuguese, Turkish, Swedish"
    ),
    "lang": _list("Python, Java, JavaScript, Rust, Go, Ruby, Kotlin, TypeScript"),
    "gadget": _list("phone, laptop, printer, tablet, router, camera, TV, washing machine, dishwasher"),
    "job": _list("teacher, nurse, baker, engineer, gardener, lawyer, plumber, pilot, designer, carpenter"),
    "sport": _list("football, tennis, basketball, hockey, volleyball, badminton, handball, rugby"),
    "tool": _list("piano, guitar, violin, flute, cello, trumpet, drums, clarinet"),
    "subject": _list("maths, history, physics, biology, chemistry, geography, music, art"),
    "veg": _list("tomatoes, carrots, potatoes, beans, onions, cucumbers, pumpkins, peppers"),
    "flower": _list("roses, tulips, sunflowers, daisies, lilies, orchids"),
}

_GROUPS = """
The train to {city} is late.
Our rail service to {city} is delayed.
The train for {city} is running behind schedule.
There is a delay on the train to {city}.
The (railway|rail) connection to {city} has not arrived on time.
We are still waiting for the {city} train, which should have been here already.
The train bound for {city} will not be punctual.
(Sadly|Unfortunately) the {city} train is behind time.
The {city} express is running late.

How do I reset my password?
I forgot my login, what now?
I cannot remember my password, how do I get back in?
What is the way to change a forgotten password?
My password is gone, how can I set a new one?
Where can I reset the password of my account?
I am locked out because I do not know my password any more.
How can I recover access to my account?
Help, I lost my password!
Steps for a password reset?

It is raining (hard|heavily) in {city}.
There is heavy rain in {city}.
{city} is getting a lot of rain.
It is pouring in {city}.
The rain is coming down in buckets in {city}.
A downpour has hit {city}.
People in {city} need an umbrella right now.
{city} is seeing a real downpour.
It is bucketing down in {city}.

Will it rain tomorrow?
Is rain expected tomorrow?
Do I need an umbrella tomorrow?
Is tomorrow going to be wet?
What are the chances of rain for tomorrow?
Does the forecast for tomorrow say rain?
Should I expect showers tomorrow?
Are we going to get wet tomorrow?
Tomorrow: rain or no rain?

It is very hot today.
Today is a scorching day.
The heat today is enormous.
What a hot day!
Temperatures are really high today.
It is boiling outside today.
I am melting in this heat today.
The sun is burning down on us today.
We have a heat wave today.

It snowed all night.
Snow kept falling until the morning.
There was snowfall during the whole night.
The snow did not stop overnight.
All through the night it was snowing.
We woke up to a lot of fresh snow that fell overnight.
It was a night of constant snow.
Snowflakes came down from dusk till dawn.

How do I make {dish}?
What is the recipe for {dish}?
Can you tell me how to (cook|prepare) {dish}?
I would like to make {dish}, what do I need?
Do you have a (good |simple |)recipe for {dish}?
What are the steps for making {dish}?
Teach me to make {dish}.
Which ingredients go into {dish} and how do I prepare it?
I want to cook {dish} tonight, please help.
{dish} recipe, please

The soup is too salty.
There is too much salt in the soup.
Someone put far too much salt into this soup.
This soup has been oversalted.
I can taste nothing but salt in my soup.
The cook was heavy-handed with the salt in the soup.
The soup would be better with less salt.
My soup tastes like the sea.

Dinner is ready.
The food is on the table.
Come and eat!
You can come to the table, we are about to have dinner.
The evening meal is served.
Supper is done.
It is time to eat dinner.
Everyone to the table, please, dinner is served.

I am hungry.
I could eat a horse.
I need something to eat.
My stomach is growling.
I have not eaten for hours and feel it.
I am starving.
I would love some food right now.
Is there any food? I feel empty.

I would like a {drink}, please.
Could I have a {drink}?
A {drink} for me, please.
May I order a {drink}?
I will take a {drink}.
Please bring me a {drink}.
Can you get me a {drink}?
I'd love some {drink}.
One {drink}, please.

How long do I boil an egg?
What is the right cooking time for a boiled egg?
How many minutes does an egg need in boiling water?
For how long should eggs be boiled?
When is a boiled egg done?
I want a boiled egg: how much time does it take?
Time needed to boil an egg?
How many minutes until my egg is cooked?

The bread is stale.
This bread is no longer fresh.
The loaf has gone hard and old.
Nobody wants to eat this old bread.
The bread is several days old and dry.
That loaf is past its best.
The bread has dried out.
We need a new loaf, this one is old.

I am allergic to nuts.
I cannot eat nuts because of an allergy.
Nuts make me ill.
I have a nut allergy.
Please no nuts in my food, I react badly to them.
My body does not tolerate nuts.
If I eat nuts I get a reaction.
Is this free of nuts? I am allergic to them.

She does not eat meat.
She is a vegetarian.
Meat is not part of her diet.
She lives on a meat-free diet.
She stays away from meat.
You will never see her eat a steak or any other meat.
She has given up meat.
No meat for her, please.

How much does it cost?
What is the price?
How expensive is it?
What do you charge for it?
How much do I have to pay for this?
Can you tell me what this costs?
What is the cost of this item?
How much money do you want for it?
What's the damage?

That is too expensive for me.
I cannot afford that.
The price is beyond my budget.
I do not have enough money for that.
It costs more than I can pay.
That is more than I am able to spend.
My wallet cannot handle that price.
It is out of my price range.

I want to save money.
I would like to spend less.
I am trying to put some cash aside.
My goal is to build up savings.
I need to cut down on my spending.
It is time for me to keep more of what I earn.
I would like to have more money left at the end of the month.
I plan to be more careful with my money.

{name} lent me {n} euros.
I borrowed {n} euros from {name}.
I owe {name} {n} euros.
{name} gave me a loan of {n} euros.
I have to pay {n} euros back to {name}.
{name} is waiting to get {n} euros back from me.
My debt to {name} is {n} euros.
{n} euros of mine really belong to {name}, as a loan.

I got a pay rise.
My salary went up.
I earn more money now than before.
My boss agreed to pay me more.
They increased my wages.
My pay has been raised.
There is more on my pay slip since they gave me a raise.
I was given a higher salary.

Can I pay by card?
Do you take credit cards?
Is card payment possible?
Are cards accepted here?
Do I need cash or is a card fine?
May I use my card to pay?
I have no cash, can I use plastic?
Is it possible to settle the bill with a card?

The shop closes at {n}.
At {n} the shop shuts its doors.
The store is open until {n}.
You can shop there until {n}.
After {n} the shop is closed.
Closing time of the shop is {n}.
Be there before {n}, because then the store closes.
They lock up the shop at {n}.

When does the shop open?
What are your opening hours?
At what time can I come in?
From what time on is the store open?
How early do you open?
What time do you open your doors?
When can I start shopping at your place?
Opening time of the shop?

I want to return this {gadget}.
I would like to give this {gadget} back.
How do I send the {gadget} back?
Can I get my money back for the {gadget}?
I do not want to keep the {gadget} I bought.
Please take this {gadget} back and refund me.
I need to bring the {gadget} back to the shop.
Is it possible to return a {gadget}?
Refund for my {gadget}, please.

Where is my parcel?
My package has not arrived yet, where is it?
I am still waiting for my delivery.
What is the status of my order?
Can you track my parcel?
When will my package finally get here?
My shipment is missing.
I ordered something and nothing has come so far.

This jacket does not fit me.
The jacket is the wrong size for me.
I need this jacket in another size.
The size of the jacket is not right.
I cannot close this jacket, it is not my size.
This jacket was made for someone of a different size.
Do you have the jacket in a size that suits me?
The jacket and I do not match in size.

My {gadget} is broken.
My {gadget} does not work any more.
My {gadget} has stopped working.
The {gadget} I own is out of order.
My {gadget} gave up the ghost.
There is something wrong with my {gadget}, it is dead.
My {gadget} is no longer working.
I need a repair for my {gadget}.
My {gadget} broke down.

How do I turn off the {gadget}?
How can I switch the {gadget} off?
Where is the off button of the {gadget}?
What do I press to shut down the {gadget}?
I want to power down my {gadget}, how?
What is the way to turn the {gadget} off?
The {gadget} should go off, how do I do that?
Shutting off the {gadget}: how?

The battery is empty.
My battery is dead.
There is no charge left.
The battery has run out.
I have to charge it, the battery is at zero.
It is out of power.
The battery is flat.
No power left in the battery.

The internet is down.
I have no internet connection.
We are offline.
My wifi is not working.
The network connection is gone.
I cannot get online.
There is no internet at the moment.
The connection to the internet is lost.
Web pages do not load because I am not connected.

My computer is slow.
My PC takes forever to do anything.
The computer has become sluggish.
Everything on my machine takes ages.
How can I speed up my computer?
My computer is lagging.
Working on this computer feels like wading through mud.
The performance of my PC is poor.

I need to update the software.
The software is out of date and must be updated.
A new version of the program has to be installed.
It is time for a software update.
I should upgrade to the latest version.
The program needs an update.
The installed version is old, I want the newest one.
Let me bring the software up to date.

The app crashes when I open it.
Every time I start the app, it closes at once.
The application quits right after launch.
I cannot open the app without it crashing.
Opening the app makes it fail.
The app dies at startup.
As soon as the app launches, it crashes.
The program stops working the moment I open it.

How do I delete my account?
I want to close my account.
Where can I remove my profile for good?
Please erase my account.
What are the steps to get rid of my account?
I no longer want to be a user, how do I leave?
Can you cancel my account for me?
How can I have my user account deleted?

I saved the file by mistake.
I did not mean to save the file.
Saving the file was an accident.
The file was saved unintentionally.
Oops, I saved the file and did not want to.
It was wrong of me to save that file, I did it accidentally.
By accident I pressed save on the file.
The file should not have been saved, I slipped.

How do I sort a list in {lang}?
What is the way to order a list in {lang}?
Which {lang} function sorts a list?
I have a list in {lang} and want it sorted.
Sorting lists in {lang}: how is it done?
How can I put the elements of a {lang} list in order?
How are lists sorted in {lang}?
Show me how to arrange a list in {lang} from small to large.

How do I read a file in {lang}?
What is the {lang} code for opening and reading a file?
I want to load the contents of a file in {lang}.
Reading files with {lang}, how does it work?
How can a {lang} program get the text of a file?
Show me file reading in {lang}.
In {lang}, how are files read?
How do I get what is in a file using {lang}?

My code has a bug.
There is an error in my program.
Something is wrong with my code.
My program does not do what it should.
I have a mistake somewhere in the code.
My software contains a fault.
The code I wrote does not behave correctly.
I must debug my program.

The tests are failing.
Our test suite is red.
Some tests do not pass.
The tests report errors.
We have broken tests.
The test run was not successful.
Not all tests are green.
The test suite fails.

I have a headache.
My head hurts.
There is a pain in my head.
My head is pounding.
I suffer from a headache today.
My head is killing me.
I need a pill for my aching head.
My head is aching.

I have a cold.
I caught a cold.
My nose is running and I keep sneezing.
I am sneezing and coughing.
I have come down with a cold.
I picked up a cold somewhere.
My nose is blocked because of a cold.
A cold has got me.

I need to see a doctor.
I should make an appointment with a physician.
I have to go to the doctor's.
A doctor should have a look at me.
I want a doctor to examine me.
It is time for me to visit a doctor.
Can you get me a doctor's appointment?
I need medical help.

How can I sleep better?
What helps against bad sleep?
I have trouble sleeping, any advice?
I lie awake at night, what can I do?
Tips for a good night's sleep?
How do I improve my sleep?
What can I do to fall asleep more easily?
I want to sleep more soundly, how?

I am very tired.
I am exhausted.
I can hardly keep my eyes open.
I need some sleep.
All my energy is gone.
I feel worn out.
I am ready for bed.
I am dead on my feet.
Sleepiness is overwhelming me.

She broke her arm.
Her arm is broken.
She has a fracture in her arm.
She came home with a broken arm.
The bone in her arm is broken.
Her arm is in plaster because it broke.
She fractured her arm.
An accident left her with a broken arm.

Smoking is bad for you.
Cigarettes harm your health.
You damage your body when you smoke.
Tobacco is unhealthy.
It is not healthy to smoke.
Your lungs suffer from cigarettes.
Smokers put their health at risk.
You should not smoke, because it makes you ill.

I want to lose weight.
I would like to be slimmer.
I am trying to shed a few kilos.
My goal is to weigh less.
I need to get rid of some pounds.
How can I get thinner?
I am planning to slim down.
The scales should show a lower number.

He goes running every morning.
Each day starts with a run for him.
He jogs every morning.
His mornings always begin with jogging.
A morning run is part of his daily routine.
Every day after getting up he goes for a run.
He never misses his run in the morning.
You can see him jogging each morning.

The {pet} is sleeping on the sofa.
The {pet} is taking a nap on the couch.
On the sofa lies a sleeping {pet}.
Our {pet} has fallen asleep on the sofa.
The couch is where the {pet} is having a snooze.
The {pet} dozes on the couch.
A {pet} is fast asleep on our sofa.
The {pet} is dreaming on the couch.

My {pet} does not eat.
My {pet} has no appetite.
My {pet} refuses its food.
The food bowl of my {pet} stays full.
My {pet} will not touch its food.
What can I do if my {pet} stops eating?
My {pet} leaves its food.
I cannot get my {pet} to eat anything.

My {pet} ran away.
I lost my {pet}.
My {pet} is missing.
Have you seen my {pet}? It escaped.
My {pet} has not come home.
I am looking for my {pet}, which got out.
My {pet} has disappeared.
The {pet} I own is gone and I cannot find it.

We adopted a {pet}.
A {pet} from the shelter now lives with us.
We took in a {pet}.
We gave a {pet} a new home.
Our family has a new {pet} from the animal shelter.
We have become the owners of an adopted {pet}.
A {pet} has joined our family.
We got ourselves a {pet} from a rescue centre.

How do I train my {pet}?
What is the best way to teach my {pet} to obey?
My {pet} does not listen to me, how do I train it?
Tips for training a {pet}?
How can I teach my {pet} tricks?
I want my {pet} to learn commands.
How are {pet}s trained?
Where do I begin with the training of my {pet}?

Our team won the {sport} match.
We were victorious in {sport}.
The {sport} game ended in our favour.
We beat the other side at {sport}.
Our {sport} team took the win.
Victory for us in the {sport} match!
The other {sport} team lost against us.
We came out on top in the {sport} game.

He plays {sport} on weekends.
On Saturdays and Sundays he plays {sport}.
His weekend hobby is {sport}.
At the weekend you find him playing {sport}.
When the week is over he likes a game of {sport}.
{sport} is what he does on his days off.
He spends his weekends with {sport}.
Every weekend he has a {sport} game.

Who won the game?
Which team was the winner?
Who came first?
What was the result of the match?
Do you know who took the victory?
How did the game end?
Which side won?
Tell me the winner of the match.

The match was cancelled.
The game will not take place.
They called off the match.
There is no game after all.
The match has been scrapped.
The game was called off.
Nobody will play, because the match was cancelled.
The planned match is not happening.

I learned to swim as a child.
I could already swim when I was little.
As a kid I was taught to swim.
I have been able to swim since my childhood.
In my childhood I learned swimming.
I was a child when I learned how to swim.
My first swimming lessons were when I was small.
Swimming is something I picked up as a kid.

How do I get to {city}?
What is the best way to {city}?
Which route takes me to {city}?
Can you tell me the way to {city}?
I want to travel to {city}, how do I do that?
Directions to {city}, please.
How can I reach {city}?
I need to go to {city}, which way is it?
What do I take to get to {city}?

How far is it from {city} to {city2}?
What is the distance between {city} and {city2}?
How many kilometres lie between {city} and {city2}?
How long is the way from {city} to {city2}?
Is {city2} far away from {city}?
Can you tell me how far apart {city} and {city2} are?
Distance from {city} to {city2}?
How many miles is it from {city} to {city2}?

I booked a flight to {city}.
I have a plane ticket to {city}.
My flight to {city} is reserved.
I bought a ticket to fly to {city}.
I will fly to {city}, the booking is done.
A seat on the plane to {city} is mine.
I reserved a flight to {city}.
The flight to {city} is booked.

My flight was cancelled.
The airline called off my flight.
My plane is not going to leave.
They cancelled the flight I was booked on.
There is no flight for me any more.
The plane I wanted to take will not fly.
My air trip has been scrapped.
I am stuck at the airport since my flight is off.

I lost my luggage.
My suitcase is gone.
My bags did not arrive.
The airline mislaid my baggage.
I cannot find my suitcase.
My luggage is missing.
Somebody has my suitcase, but I do not.
My baggage did not turn up.

Is there a hotel near the station?
Where can I stay close to the station?
I am looking for a room near the train station.
Are there any places to sleep by the station?
Can you recommend a hotel next to the station?
I need accommodation within walking distance of the station.
Which hotels are close to the train station?
Somewhere to spend the night near the station?

We spent our holiday in {city}.
Our vacation took us to {city}.
We were in {city} on holiday.
{city} was where we went for our holiday.
For our vacation we chose {city}.
We took a holiday in {city}.
Our last vacation was in {city}.
We travelled to {city} for a holiday.

What should I see in {city}?
What are the sights of {city}?
Which places in {city} are worth a visit?
I am going to {city}, what must I not miss?
Can you recommend something to do in {city}?
What is there to see in {city}?
Tips for tourists in {city}?
What are the best attractions in {city}?

Do I need a visa?
Is a visa required?
Can I enter the country without a visa?
Are visas necessary for the trip?
Must I apply for a visa before I travel?
Is it possible to travel there with no visa?
Will they ask me for a visa at the border?
Visa needed or not?

The bus was full.
There were no free seats on the bus.
The bus was packed.
I could not find a place on the bus.
Every seat on the bus was taken.
The bus was overcrowded.
People stood like sardines in the bus.
There was no room left on the bus.

I missed the bus.
The bus left without me.
I was too late for the bus.
The bus had gone when I got to the stop.
I arrived at the stop and the bus was already away.
I did not catch the bus.
The bus drove off before I was there.
I failed to reach the bus in time.

There is a traffic jam on the motorway.
Cars are not moving on the motorway.
The motorway is jammed.
Traffic has come to a standstill on the motorway.
You will be stuck in traffic on the motorway.
The motorway is full of cars that hardly move.
Expect a long queue of cars on the motorway.
The traffic on the motorway is at a stop.

My car will not start.
I cannot get my car going.
The engine of my car does not turn on.
I turn the key and nothing happens with my car.
My car refuses to start.
My vehicle does not start up.
The car stays silent when I try to start it.
My automobile is not starting.

The meeting is on {day}.
We meet on {day}.
{day} is the day of the meeting.
Our meeting takes place on {day}.
The meeting has been set for {day}.
Please keep {day} free for the meeting.
On {day} we have a meeting.
The team gets together on {day}.

The meeting was moved to {day}.
We now meet on {day} instead.
The new date of the meeting is {day}.
They rescheduled the meeting for {day}.
The meeting will be on {day} rather than on the old date.
There is a change: the meeting is now on {day}.
The meeting has been shifted to {day}.
We postponed the meeting until {day}.

I cannot come to the meeting.
I will not be able to attend the meeting.
You have to meet without me.
I am not available for the meeting.
Sorry, I must skip the meeting.
The meeting will take place without me.
I have to miss the meeting.
Please excuse me from the meeting.

{name} is on holiday this week.
{name} is not at work this week because of vacation.
This week {name} has time off.
You cannot reach {name} this week, it is vacation time.
{name} took the week off.
{name} is away on vacation for the week.
{name} will be back from holiday next week.
For this week {name} is on leave.

Please send me the report by {day}.
I need the report by {day}.
The report has to be with me by {day}.
Could you get the report to me before {day} is over?
The deadline for the report is {day}.
Let me have the report by {day}, please.
Make sure the report reaches me by {day}.
I am expecting the report no later than {day}.

He lost his job.
He was fired.
He is out of work now.
His company let him go.
They dismissed him.
He no longer has a job.
His employer gave him the sack.
He has become unemployed.

She found a new job.
She has a new position.
She will be working somewhere else from now on.
A new employer hired her.
She got hired.
She starts at a new workplace.
She landed a new job.
Her job hunt was successful.

I work as a {job}.
I am a {job} by profession.
My job is that of a {job}.
I earn my living as a {job}.
I am employed as a {job}.
By trade I am a {job}.
I make my money working as a {job}.
What I do for work: I am a {job}.

I want to become a {job}.
My dream job is {job}.
I would like to work as a {job} one day.
My plan is to be a {job}.
One day I will be a {job}, I hope.
I am aiming for a career as a {job}.
How can I become a {job}?
It is my wish to be a {job}.

We hired a new {job}.
A new {job} has joined us.
There is a new {job} on our staff.
We gave the job to a new {job}.
Our company took on a {job}.
We have employed another {job}.
Our team now has a new {job}.
The open {job} position has been filled.

I have too much work.
I am overloaded at work.
My workload is too high.
There is more to do than I can handle.
I am drowning in tasks.
I do not know how to get all this work done.
My desk is piled up with work.
They give me more work than I can manage.

The project is finished.
We have completed the project.
The project is done.
Our work on the project is over.
We brought the project to an end.
The project has come to a close.
All tasks of the project have been finished.
The project is complete.

The project costs more than planned.
We are over budget with the project.
The project has exceeded its budget.
Project costs are higher than we thought.
We did not plan to spend so much on the project.
The project turned out more expensive than expected.
The budget of the project was not enough.
We spent more on the project than intended.

The exam in {subject} was hard.
I found the {subject} exam difficult.
The {subject} test was not easy.
We had a tough exam in {subject}.
The questions in the {subject} exam were tricky.
It was a difficult {subject} test.
The {subject} exam gave us a hard time.
Nobody thought the {subject} exam was simple.

I passed the {subject} exam.
I was successful in the {subject} test.
My {subject} exam went well, I passed.
I made it through the {subject} exam.
I did not fail in {subject}.
The {subject} test is behind me, and I passed it.
I got a passing grade in {subject}.
My exam in {subject} was a success.

She teaches {subject}.
She is a {subject} teacher.
She gives lessons in {subject}.
Pupils learn {subject} from her.
Her subject at school is {subject}, which she teaches.
She instructs students in {subject}.
She works as a teacher of {subject}.
{subject} is what she teaches.

I did not do my homework.
My homework is not done.
I forgot my homework.
I came to school without the homework.
I have not finished the homework.
The homework is still waiting for me.
I left my homework undone.
I never got round to doing the homework.

School starts in {month}.
The school year begins in {month}.
Classes begin in {month}.
The first day of school is in {month}.
In {month} the pupils go back to school.
Lessons start again in {month}.
The new school year kicks off in {month}.
{month} is when school begins.

How do I learn {tongue}?
What is the best way to study {tongue}?
I want to speak {tongue}, where do I start?
How can I pick up {tongue} quickly?
Any tips for learning {tongue}?
What helps when you learn {tongue}?
I would like to learn the {tongue} language.
How do people become fluent in {tongue}?

Do you speak {tongue}?
Can you talk to me in {tongue}?
Is {tongue} a language you know?
Are you able to speak {tongue}?
Do you know {tongue}?
Do you understand {tongue}?
How is your {tongue}?
Could we switch to {tongue}?

How do you say hello in {tongue}?
What is the {tongue} word for hello?
How do people greet each other in {tongue}?
Which greeting is used in {tongue}?
I want to greet someone in {tongue}, what do I say?
Hello in {tongue}?
What does one say as a greeting in {tongue}?
Translate hello into {tongue}.

She plays the {tool}.
She is a {tool} player.
She can play the {tool}.
She makes music on the {tool}.
The {tool} is her instrument.
Her instrument is the {tool}.
When she makes music, it is on the {tool}.
She knows how to play the {tool}.

The music is too loud.
Please turn the music down.
Could you lower the volume of the music?
The volume of the music hurts my ears.
The music should be quieter.
That music is really noisy.
I cannot hear myself think with this music.
Can the music be a bit softer?

The concert is sold out.
There are no tickets left for the concert.
All concert tickets are gone.
You cannot get tickets for the concert any more.
Every ticket for the concert has been sold.
The concert is fully booked.
No more tickets for the concert are on sale.
The last concert ticket has been sold.

What is the name of this song?
Which song is this?
Do you know the title of this tune?
What are we listening to?
Can you tell me what this song is called?
What is playing right now?
Who knows this song's name?
How is this piece of music called?

I have read this book already.
This book is not new to me.
I know this book.
I finished this book some time ago.
I have been through this book before.
I do not need to read this book, I did so earlier.
This is a book I have already read.
I already know what is in this book.

Can you recommend a good book?
Which book should I read?
I am looking for something to read.
Do you have a book tip for me?
What would you suggest I read next?
Any good books you can recommend?
I need a new book, any ideas?
Please suggest a book.

The film lasts {n} hours.
The film is {n} hours long.
The movie takes {n} hours.
It takes {n} hours to watch the film.
You need {n} hours for this movie.
The running time of the film is {n} hours.
The movie runs for {n} hours.
The film goes on for {n} hours.

My {relative} turns {n} today.
It is my {relative}'s birthday, number {n}.
Today is the day my {relative} becomes {n}.
My {relative} is {n} years old as of today.
We are celebrating that my {relative} is now {n}.
My {relative} has reached the age of {n} today.
Today my {relative} celebrates birthday number {n}.
As of today, my {relative} is {n}.

Happy birthday!
All the best on your birthday!
Many happy returns!
I wish you a wonderful birthday.
Congratulations on your birthday!
Have a great birthday!
Best wishes for your special day, birthday child!
Enjoy your birthday!

My {relative} lives in {city}.
My {relative} has a home in {city}.
{city} is where my {relative} lives.
My {relative}'s home is in {city}.
I have a {relative} who lives in {city}.
The place my {relative} lives is {city}.
You can find my {relative} in {city}, that is home.
My {relative} is a resident of {city}.

We are moving to {city}.
We will soon live in {city}.
Our new home will be in {city}.
We are going to settle in {city}.
We are relocating to {city}.
{city} is going to be our new home.
Soon we will be living in {city}.
Our family is changing its home to {city}.

{name} and my {relative} are getting married.
There will be a wedding of {name} and my {relative}.
{name} is going to marry my {relative}.
My {relative} and {name} will tie the knot.
{name} and my {relative} will be husband and wife.
My {relative} is engaged to {name} and the wedding is coming.
Soon my {relative} will be married to {name}.
{name} and my {relative} have decided to wed.

They had a baby.
Their child was born.
They have become parents.
They have a newborn.
A baby has arrived in their family.
They welcomed a child into the world.
She gave birth to their child.
There is a new baby in their home.

The children are playing in the garden.
The kids are outside, playing on the lawn.
In the garden, children are at play.
The little ones are having fun in the garden.
You can hear the kids play in the garden.
Our children play out in the garden.
The garden is full of playing children.
The kids are busy with games in the garden.

I am waiting for a friend.
A friend of mine will be here any minute.
I am standing here until my friend comes.
My friend has not come yet, so I wait.
I am expecting a friend.
My friend should be arriving soon, I am waiting.
I cannot leave before my friend is here.
I wait until my friend turns up.

Can you help me?
Could you give me a hand?
I need some help.
Would you assist me?
Please help me out.
I could use your help.
Do you have a moment to help me?
I cannot do this alone, will you help?
I require assistance.

Thank you (very much|so much).
Thanks a lot!
I really appreciate it.
I am very grateful to you.
Many thanks.
That was kind of you, thanks.
I cannot thank you enough.
Much obliged.
Thank you, that was a great help.

I am sorry.
I apologise.
Please forgive me.
I regret what I did.
My apologies.
Excuse me, that was my fault.
I beg your pardon.
I feel bad about it, please excuse me.

See you tomorrow.
We will meet again tomorrow.
Until tomorrow!
Goodbye, tomorrow we will see each other.
I will see you the day after today.
Bye, see you again tomorrow.
Let us meet tomorrow, bye for now.
I am off, but I will be back with you tomorrow.

How are you?
How is it going?
Are you doing well?
How do you feel?
How have you been?
What's up?
Is everything all right with you?
How are things with you?

What time is it?
Can you tell me the time?
Do you have the time?
How late is it?
What does the clock say?
Could you look at your watch for me?
I would like to know the time.
Do you know what time we have?

I do not understand.
I do not get it.
That makes no sense to me.
Could you explain that again?
I cannot follow you.
What do you mean?
It is not clear to me.
I am confused by what you said.

I agree with you.
You are right.
I think so too.
We have the same opinion.
I see it the same way.
That is exactly what I think.
I share your view.
I am of your opinion.

I do not agree.
I see that differently.
That is not my opinion.
I think you are wrong.
I beg to differ.
I have another view.
I cannot agree with that.
We do not share the same opinion.

The window is open.
Somebody opened the window.
The window is not closed.
The window has been left open.
Air comes in through the open window.
Nobody has shut the window.
The window stands open.
You forgot to close the window.

Please close the door.
Could you shut the door?
The door should be closed, please.
Would you mind closing the door?
Do not leave the door open.
Shut the door, please.
Be so kind as to close the door.
Push the door shut, will you?

The key does not fit the lock.
I cannot open the lock with this key.
This is the wrong key for the lock.
The lock and the key do not match.
The key will not go into the lock.
My key does not work in this lock.
This lock needs another key.
The key is not made for this lock.

I lost my keys.
I cannot find my keys.
My keys are gone.
Where are my keys?
My keys have disappeared.
I do not know where I left my keys.
Has anybody seen my keys?
I have misplaced my keys.

The light bulb is broken.
The lamp does not light up any more.
We need a new bulb.
The bulb has burned out.
The light does not work because of the bulb.
The bulb must be replaced.
The light bulb is dead.
It stays dark, because the bulb is gone.

The rent went up.
My landlord raised the rent.
I have to pay more rent now.
The flat has become more expensive to rent.
Our rent is higher than before.
There was a rent increase.
Living here costs us more rent than last year.
The rent was increased.

I clean the flat on {day}.
{day} is my cleaning day.
On {day} I tidy up and clean at home.
I do the housework on {day}.
Every {day} the apartment gets cleaned by me.
When it is {day}, I clean my home.
My apartment gets its cleaning on {day}.
I use {day} to clean my flat.

The neighbours are noisy.
The people next door make a lot of noise.
It is loud because of our neighbours.
Our neighbours are not quiet.
We can hear the neighbours all the time.
The noise of the people next door disturbs us.
The folks next door are too loud.
We have loud neighbours.

We grow {veg} in our garden.
{veg} grow in our garden.
Our garden is full of {veg}.
We planted {veg} behind the house.
The {veg} we eat come from our own garden.
In our garden you will find {veg}.
We have our own home-grown {veg}.
We are growing our own {veg}.

She bought {flower} for her {relative}.
Her {relative} got {flower} from her.
She gave her {relative} a bunch of {flower}.
She surprised her {relative} with {flower}.
She got some {flower} as a gift for her {relative}.
The {flower} she bought are for her {relative}.
For her {relative} she picked up {flower} at the shop.
She brought {flower} to her {relative}.

We need {fruit} from the market.
Please buy {fruit} at the market.
There are no {fruit} left, someone must go to the market.
Can you get {fruit} from the market?
{fruit} are on the list for the market.
Do not forget the {fruit} when you go to the market.
We have run out of {fruit}, the market has some.
Bring some {fruit} from the market, please.

The {fruit} are ripe.
You can eat the {fruit} now, they are ready.
It is time to pick the {fruit}.
The {fruit} are ready to be eaten.
The {fruit} have become sweet and soft.
The {fruit} are just right for eating.
These {fruit} have ripened.
The {fruit} can be harvested.

A table for {n}, please.
We would like to reserve a table for {n} people.
Do you have room for {n} of us?
There are {n} of us, is a table free?
Can we get a table? We are {n}.
I want to book a table for {n}.
We need a place to eat for {n} persons.
Could {n} people sit somewhere here?

The bill, please.
We would like to pay.
Can I have the check?
Could you bring us the bill?
How much do we owe you?
We are done, may we pay?
May I settle up?
Check, please!

What is a KV cache?
What does the KV cache store?
Explain the key-value cache.
What do people mean by KV cache?
Why does a model keep keys and values of old tokens?
Can you describe the cache for keys and values?
I keep hearing of the KV cache, what is that?
Tell me about the memory that holds keys and values.

The model does not fit into GPU memory.
There is not enough GPU memory for the model.
The weights are too large for my graphics card.
I get an out of memory error when I load the model.
My GPU is too small for this model.
The model needs more memory than the card has.
Loading the model runs out of GPU memory.
The card has too little memory to hold the model.

How do I start the server?
What command launches the server?
How can I get the server running?
Which command do I type to start serving?
I want to run the server, how?
How is the server launched?
What is the way to bring the server up?
Starting the server: what do I have to do?

The server is not responding.
I get no answer from the server.
The server does not reply.
My requests to the server hang.
The server seems to be down.
Nothing comes back from the server.
The server is unreachable.
The server stays silent.

How many tokens per second does it make?
What is the throughput?
How fast does it generate text?
What generation speed can I expect?
How quickly are tokens produced?
How many tokens come out every second?
What is the token rate?
Is it fast at generating tokens? Give me a number.

The first token takes too long.
Time to first token is too high.
I wait too long until the answer begins.
It takes ages before the first word shows up.
The start of the answer is delayed.
The reply is slow to begin.
The latency before the first token is bad.
There is a long pause before the text starts.

How do I make the model smaller?
How can I reduce the size of the weights?
What is quantization good for when memory is short?
Can I shrink the model?
How do I get the model to use less memory?
What lets me store the weights in fewer bits?
Is there a way to compress the model?
I want the weights to take less space.

How do I stream the answer?
Can I get the tokens one by one as they come?
I want to see the text while it is being written.
How is streaming turned on?
How do I receive the reply piece by piece?
Is it possible to show the answer as it is generated?
What do I set to get a streamed response?
The reply should arrive bit by bit, how?

The answer is too long.
The model writes too much.
Can the reply be shorter?
I want fewer words in the answer.
The output goes on for too long.
How do I limit the length of the reply?
The response should be briefer.
That answer is longer than I want.

The answers are different every time.
I never get the same reply twice.
The model gives another answer on each run.
How do I get the same output every time?
The output changes from run to run.
Results are not repeatable.
Why does the same prompt lead to different replies?
The responses vary although the prompt is the same.

Many users can be served at the same time.
The engine handles lots of requests at once.
It answers several people in parallel.
Several requests are processed together.
The server works on many prompts at the same time.
Requests of different users run in one batch.
It can deal with many requests simultaneously.
More than one user can be served concurrently.

Which models are supported?
What models can I run with it?
Can you list the supported models?
Does it work with my model?
What kinds of models can be loaded?
Which architectures does the engine know?
Which models can this engine serve?
I would like to know what models are available.

The prompt is too long.
The prompt does not fit the context window.
My input has more tokens than the model can read.
The text I sent exceeds the context length.
There are too many tokens in the prompt.
The model cannot read such a long prompt.
My prompt must be shortened.
The input is longer than allowed.

My vacation starts on {day}.
From {day} on I am on holiday.
My holiday begins on {day}.
I have time off starting on {day}.
{day} is the first day of my vacation.
As of {day} I do not have to work.
On {day} my time off begins.
I am free from {day} onwards.

The library is quiet.
There is hardly any noise in the library.
You can hear a pin drop in the library.
It is silent in the library.
Nobody makes a sound in the library.
The library is a calm place.
In the library it is very still.
People are silent in the library.

The river flooded the village.
The village is under water because of the river.
Water from the river covered the village.
The river burst its banks and hit the village.
There was a flood in the village.
High water in the river reached the houses of the village.
The streets of the village were flooded by the river.
The river overflowed into the village.

The police caught the thief.
The thief has been arrested.
The burglar was taken by the police.
Police officers got hold of the thief.
The thief is now in custody.
The police arrested the robber.
The man who stole was caught by officers.
They finally nabbed the thief.

The price of petrol has gone up.
Petrol is more expensive than before.
Fuel costs more now.
Filling up the car costs more these days.
There was a rise in fuel prices.
Drivers have to pay more for petrol.
Petrol prices have climbed.
Gas has become pricier.

The sun sets at {n}.
Sunset is at {n}.
At {n} the sun goes down.
It gets dark at {n}.
The sun disappears at {n}.
Daylight ends at {n}.
After {n} there is no more sun.
The sun will be gone at {n}.
"""

GROUPS: list[list[str]] = [block.strip().splitlines() for block in _GROUPS.split("\n\n")]
