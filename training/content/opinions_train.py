"""Whole opinions, many told by facts and not by an adjective.

The hash of a text decides its side: `training.conversation.is_held_out` texts are for evaluation only.
`PARTS` holds clauses per area, for training; `training.tasks.sentiment` joins some of them.
"""

from __future__ import annotations


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


def _list(text: str) -> list[str]:
    return [item.strip() for item in text.replace("\n", " ").split(";")]


POSITIVE: list[str] = _lines("""
I looked at my watch once during the film, and only because I wanted it to last longer.
The whole cinema sat in silence until the credits had finished.
I have already bought tickets to see it again on Friday.
Three hours flew by like twenty minutes.
My teenage son put his phone away for the entire film.
I cried twice and laughed more often than I can count.
By the final scene I was on the edge of my seat.
The people next to me stood up and clapped.
I did not see the twist coming and I gasped out loud.
Nobody left the theatre before the lights came on.
We talked about that ending all the way home.
Every joke landed.
The actor disappears so fully into the part that I forgot who he was.
My grandmother, who falls asleep in every film, stayed awake to the end.
For once the sequel beats the first one.
not a single wasted minute in this movie
It deserves every award it won.
I went in expecting nothing and came out humming the songs.
The kids have asked to watch it every night since.
She carries the film on her shoulders and never stumbles.
If you only watch one series this year, make it this one.
I finished all ten episodes in one weekend.
Season two is even stronger than season one.
The dialogue sounds like real people talking.
I put off the last episode because I didn't want it to end.
Say what you like about the budget, the story had me hooked from minute one.
I read it in one sitting and missed my bus stop.
I turned the last page and started again at the first.
I stayed up until four in the morning to finish this book.
I have given copies of this novel to six friends.
My daughter hates reading, but she would not put this one down.
Her characters feel like people I have known for years.
It made me ring my father for the first time in months.
I underlined something on nearly every page.
The author explains hard things so that even I understood them.
This cookbook lives on my counter, and its pages are already stained with sauce.
After chapter two I stopped answering my phone.
Not one dull chapter in six hundred pages.
I wish I could forget it and read it for the first time again.
The translation reads as if it had been written in English.
Thanks to this book I passed the exam at my first attempt.
This is the guide I should have bought ten years ago.
The poems are short, but they stay with you for days.
I borrowed it from the library and then bought my own copy.
The narrator's voice made my long commute too short.
Two hundred hours in and I am still finding new things.
The controls clicked within a minute.
My brother and I played until the sun came up.
It runs without a hiccup on my eight year old computer.
Every defeat felt fair and made me want to try again.
The soundtrack has been on my headphones all week.
They could have charged twice as much and I would not have complained.
No micro-payments, no waiting timers, just a game.
Even my wife, who never plays anything, asked for a turn.
The developers fixed the only bug I reported within a day.
Family game night has not been the same since we got this, we laugh until it hurts.
The rules fit on one page and yet no two rounds are alike.
The puzzle took us a rainy week and every piece fitted snugly.
one more round, I said, and then it was three in the morning
I mopped up the last drop of sauce with bread.
We ordered a second portion before the first one was gone.
The plates came back clean.
My picky six year old asked for more spinach.
The steak was cooked exactly the way I had asked.
The bread was still warm from the oven.
You can taste that the tomatoes were picked this morning.
That soup cured my cold and my mood.
The chef came out to ask whether we liked it, and we did.
Best curry this side of Mumbai.
My mother asked for the recipe, and my mother never asks for recipes.
The portions are big enough to feed a farmhand.
The fish tasted as if it had been swimming an hour ago.
I dream about that cheesecake.
The cake vanished within five minutes at the office.
There were no leftovers, which says it all.
The crust crackled and the inside was soft as a cloud.
Not too sweet, not too heavy, just right.
My Italian neighbour says this pasta is the real thing.
I used to hate olives until I tried these.
The coffee alone is worth crossing town for.
They refilled our glasses before we noticed they were empty.
The waiter remembered our names from last year.
We came for a quick bite and stayed for four hours.
The bill was smaller than I had feared.
They brought my son a free dessert when they heard it was his birthday.
A table by the window, a smile at the door and food within ten minutes.
The kitchen made me a vegan version without any fuss.
We have booked the same table for next month.
I was full, happy and only twelve euros poorer.
They noticed my allergy note and brought a separate menu.
When I spilled my wine, a new glass stood there before I could apologise.
The queue outside tells you all you need to know, and it moves fast.
Our waitress deserved the biggest tip I have ever left.
The terrace looks over the harbour and nobody hurries you.
The menu is short, and everything on it sings.
It may look like a shack, but the ribs fall off the bone.
Despite the crowd, our food was on the table in a quarter of an hour.
Although we arrived ten minutes before closing, they cooked for us with a smile.
The breakfast buffet had everything from porridge to fresh mango.
The bed was so soft that I overslept.
I slept like a baby all four nights.
They upgraded us to a suite because it was our anniversary.
The windows keep out every sound of the street.
Fresh towels every morning and a chocolate on the pillow.
Our room was ready at nine in the morning although check-in starts at three.
From the balcony we watched dolphins.
The porter carried our bags up four floors and refused a tip.
The receptionist drew us a map of her favourite places.
The shower was hot within seconds and strong as a waterfall.
I left my charger behind and they posted it to me for free.
It is two steps from the station and yet you hear birds.
You could eat off the bathroom floor.
We extended our stay by three nights.
The host left homemade jam and fresh eggs in the fridge.
The photos on the site do not do it justice.
My husband already asked when we are going back.
The pool was empty in the mornings and warm as a bath.
The owner lent us bicycles and would not hear of money.
We woke up to the smell of fresh croissants.
Even the cheapest room has a sea breeze and a proper desk.
They thought of everything, even an umbrella by the door.
The plane left on the minute and landed early.
I had three seats to myself and slept the whole way.
The crew gave my toddler crayons and a tour of the cockpit.
My suitcase was already on the belt when I got there.
More legroom than on my sofa.
I am afraid of flying, and the stewardess held my hand during take-off.
They rebooked me within five minutes after I missed my connection.
Security took four minutes.
The pilot told us about every mountain we flew over.
For forty euros to the other side of Europe I can't complain.
The landing was so gentle that I did not wake up.
They found my lost bag and drove it to my door the same evening.
The train pulled in at 9:02, exactly as the timetable said.
A seat with a table, a socket and a window, what more could I ask?
The conductor waited for my grandmother to get on.
The night train beats any flight: I went to bed in Vienna and woke up in Rome.
The journey through the valley was so pretty that I never opened my book.
The new trams glide along without a sound.
In ten years of commuting on this line I have been late twice.
The bus driver saw me running and waited.
The ferry had a playground, and our kids did not want to get off.
The taxi driver turned around to bring back my forgotten wallet.
The battery still shows forty percent when I go to bed.
I dropped it on concrete and there was not a scratch.
I charge it every third day.
The photos look as if a professional had taken them.
It unlocks before I even notice that I looked at it.
The call quality is so clear that my mother sounds as if she sat next to me.
My old phone needed an hour to charge, this one needs fifteen minutes.
Four years old and it still gets updates every month.
It fits in my hand and in my pocket.
Even in bright sun I can read every word on the screen.
It survived a swim in the lake.
I switched over in ten minutes, and all my messages were there.
My seventy year old dad set it up without calling me.
The laptop boots in five seconds.
I have never heard the fan.
I edit 4k video on it while twenty tabs are open, and it doesn't even get warm.
It weighs less than my lunch box.
The keyboard makes me want to write a novel.
Ten hours in a plane and still a third of the battery left.
The hinge opens with one finger and stays where you leave it.
Three years of daily use and it runs like on the first day.
The screen is so sharp that I threw out my old monitor.
It replaced my desktop, my tablet and my notebook.
Setup took two clicks.
The printer found my network by itself and has not jammed since May.
The headphones shut out the whole office.
I forgot I was wearing them.
The speaker fills the garden with sound and fits in a coat pocket.
These earbuds have never fallen out, not even on a marathon.
The camera focused before I had finished lifting it.
The watch noticed my irregular heartbeat and sent me to a doctor in time.
The router reaches the far end of the garden.
The TV was on the wall and working within twenty minutes.
The app saves me an hour every day.
I deleted three other apps because this one does it all.
It works offline, it syncs in a blink and it never asks for my email.
I learned more Spanish in a month than in three years at school.
Someone answered my support ticket on a Sunday night.
The free version gives you everything you need.
It has not crashed once in two years.
My whole team moved over in a day, and nobody wants to go back.
Everything is exactly where you expect it.
The update made it twice as fast.
It helped me lose ten kilos without ever nagging.
They listened to our feedback and added a dark mode within a week.
I can finally find my notes.
i opened it once and now its the first thing i tap every morning
One tap and the taxi is there.
The site loads before I lift my finger.
I found the form, filled it in and was done in three minutes.
No pop-ups, no cookie walls, just the recipe.
The search actually finds what I am looking for.
The checkout remembers my address and asks nothing twice.
My blind uncle uses this website without any help.
Their chat was answered by a person, and she knew her stuff.
I bookmarked it the moment I saw it.
The shop assistant spent half an hour with me and then advised me to buy the cheaper one.
They exchanged it without a receipt and without a question.
The owner opened the shop again just for me.
They had my size, my colour and a discount.
You walk in for a pen and leave with a smile.
The prices are half of what the big chains ask.
They repaired the zip for free while I waited.
The baker slipped an extra roll into the bag.
If they don't have it, they order it and call you the next day.
I never leave this bookshop with empty hands.
The market has peaches that smell like peaches.
Ordered on Monday evening, on my doorstep on Tuesday morning.
The parcel came two days early.
It was wrapped so carefully that not even the eggs broke.
The courier carried the washing machine up to the fifth floor.
The driver rang, waited and even wished me a nice weekend.
I could follow the van on the map to the minute.
One vase was chipped, and a new one arrived the very next day.
The refund was in my account before I had posted the parcel.
They included a handwritten thank-you note.
Hot pizza at the door in eighteen minutes, in the pouring rain.
The doctor listened for twenty minutes without looking at her screen once.
After years of pain somebody finally found the cause.
I felt nothing, not even the needle.
My son now asks when he may go to the dentist again.
She called me in the evening to ask how I was doing.
I walked out of the clinic without crutches.
The nurse stayed past her shift to hold my mother's hand.
He explained the operation with a drawing, and my fear was gone.
I got an appointment the same day and was seen on time.
Thanks to this physio I can lift my arm again.
The vet saved our cat and cried with us from relief.
The pharmacist noticed that my two pills do not go together.
The new glasses sit so lightly that I shower with them on.
My maths teacher made me see that numbers can be beautiful.
I chose my career because of her lessons.
He never once made anyone feel stupid for asking.
Thirty years later I still remember her lessons.
My daughter runs to school in the mornings.
She knew every pupil's name after the first day.
He stayed after class until I understood it.
I went from failing to top of the class in one term.
The course taught me in six weeks what I had put off for six years.
Nobody skipped his lectures, not even on Friday at eight.
The driving instructor never raised his voice, and I passed at once.
Her notes on my essay were longer than the essay, and each one helped.
The kindergarten sends us home with a singing child.
My boss takes the blame when things go wrong and shares the credit when they go right.
She noticed I was tired and sent me home with full pay.
He knows the names of our kids and asks how they are.
When I asked for a raise, she had already written the letter.
I would follow this manager to any company.
In five years she has not once called me on a weekend.
He hires people who are cleverer than he is and listens to them.
I wake up before the alarm because I look forward to work.
I get paid for what I would do for free.
We leave at four on Fridays and nobody counts minutes.
People stay here for decades.
I learned more in my first month than at university.
My colleagues brought soup when I was ill.
The pay is modest, but I have never been happier at a desk.
The interview felt like a chat among friends, and I started the next Monday.
200,000 kilometres and it starts every single morning.
It sips petrol like a moped.
The mechanic fixed it in ten minutes and charged nothing.
The seats are so comfortable that we drove to Spain in one go.
The boot swallowed a bicycle, two suitcases and the dog.
It walked away from a crash that should have killed us, and so did we.
The car parks itself better than I ever could.
Snow, ice, steep hills: nothing stops it.
I only fill the tank once a month.
Our old van has crossed twelve countries and never let us down.
The garage gave me a spare car and washed mine for free.
My bike is ten years old and still turns heads.
The e-bike makes me laugh on every hill.
The dealer told me about the scratch before I had seen it.
I get compliments every time I wear this dress.
Washed thirty times and it still looks new.
The coat kept me warm at minus twenty.
It fits as if it had been sewn for me.
My jeans finally have pockets that hold a phone.
The wool does not scratch at all.
I bought one, and the next day I ordered it in three more colours.
The jacket kept me bone dry through two hours of rain.
The zip runs smoothly and the seams are straight.
My husband stole this sweater and I can't blame him.
I walked fifteen kilometres in them on the first day without a blister.
My knees stopped hurting a week after I bought these shoes.
Like walking on clouds.
The soles look untouched after a year on gravel.
These boots have crossed the Alps with me twice, and my feet never got wet.
My son refuses to take his new trainers off at bedtime.
I can stand in these heels all night and still dance.
The wardrobe was up in half an hour, and no screw was missing.
We fight over who gets the armchair.
Three kids have jumped on this sofa for years and it shows no dent.
The table has survived paint, glue and two toddlers.
My back pain was gone after one week on this mattress.
Solid oak, and it will outlive me.
Guests keep asking where we found the lamp.
The drawers close without a sound.
The desk goes up and down at a touch, and I no longer get stiff.
The bookshelf holds three hundred books and doesn't bend.
The mixer kneads the heaviest dough without a groan.
My espresso at home now beats the one in the cafe.
The dishwasher is so quiet that I check whether it is on.
Nothing sticks to this pan, not even eggs.
The oven bakes evenly from corner to corner.
This knife went through the pumpkin like butter.
The vacuum cleaner picks up what three others left behind.
Our fridge has hummed along for twenty years without a repair.
The toaster gives me the same golden slice every time.
My soup is ready in the time it takes to lay the table.
The blender turns frozen berries to cream in seconds.
The washing machine got out a wine stain I had given up on.
The robot mows the lawn while I lie in the hammock.
I lost eight kilos in three months, and it was fun.
The trainer corrected my squat and my back thanks him.
Never a queue for the machines, even at six in the evening.
Half a year in and I can do ten pull-ups.
I used to invent excuses, now I go four times a week.
The showers are hot and the lockers actually lock.
They let me cancel with one email when I moved.
The yoga class is the best hour of my week.
We saw three squirrels, a heron and not one piece of litter.
There is shade, there are benches, and the fountain works.
The children did not want to leave the playground.
The paths are so smooth that grandpa's wheelchair rolled by itself.
I go there every lunch break and come back a new person.
The roses were in full bloom and entry was free.
We planned an hour in the museum and stayed all day.
The guide made bones and stones come alive.
My bored teenager asked to go back the next day.
You may touch everything, and the kids did.
I stood in front of that painting and forgot to breathe.
The audio guide is free and funny.
Under sixteen nobody pays, and there are stools everywhere to rest.
She sang for three hours and gave four encores.
I still had goosebumps on the way home.
Twenty thousand people sang along with every word.
You could have heard a pin drop during the solo.
My voice is gone from cheering and I regret nothing.
Even from the last row we heard every note.
The band stayed to sign records until two.
I have waited twenty years for this concert, and it was worth every one of them.
The orchestra got a standing ovation, and mine were the first hands up.
The new album has been on repeat since Friday.
The play had us laughing before anyone said a word.
Our neighbours water the plants whenever we are away.
She left a basket of plums on our doorstep.
In ten years we have not had one quarrel with the people upstairs.
When my car was stuck in the snow, the whole street came out to push.
The man next door fixed our fence and only wanted a beer.
You never hear a sound from next door after nine.
Old Mrs. Bell brings us cake every Sunday.
My flatmate washes up before I even notice the dishes.
They spotted the strange payment before I did and gave me the money back.
I opened the account in five minutes from my couch.
No fees, no small print, and a human picks up the phone.
The adviser talked me out of an expensive loan I did not need.
My card was stolen abroad, and a new one was at the hotel the next day.
We got our mortgage approved in two days.
The insurance paid within a week and asked no silly questions.
After the flood they sent a check before we had finished mopping.
One phone call, one form, and the damage was settled.
My premium went down, and nobody had to ask.
A real person took my claim, called back as promised and wished me well.
Two weeks without a single cloud.
We came home tanned, rested and already planning the next trip.
The kids made friends on the first day, and we hardly saw them again.
The beach was ours alone until noon.
I did not check my email once in ten days.
The guide showed us places no tour bus ever reaches.
It rained all week and we still had the time of our lives.
We cried when we had to leave the island.
Everything we had booked was exactly as described.
The sun came out just as we cut the cake.
What a morning: blue sky, fresh snow and not a breath of wind.
After weeks of rain I can finally dry my washing outside.
A cool breeze all day, I could work in the garden for hours.
The evening light over the hills made me stop the car.
The hairdresser understood what I meant, and I walked out ten years younger.
My tattoo looks even better than the drawing.
The plumber came at midnight, fixed the leak and left no mess.
The electrician arrived at eight sharp, as promised.
The painters finished two days early and swept the floor.
They moved our piano down four floors without a scratch.
The cleaner found my lost wedding ring and put it on the table.
The call centre answered after one ring.
I expected an hour at the town hall and was out in six minutes.
The clerk filled in the form with me, line by line.
Our babysitter is the only person the twins obey.
The photographer made even my father smile.
Our wedding planner saved the day when the tent blew away.
The puppy came home healthy, calm and already house-trained.
The cat food is the only one she licks clean to the last crumb.
The sunscreen did its job: nobody got burnt.
This cream got rid of my rash in three days.
My hair has not been this soft since I was a child.
The perfume is still there in the evening, and strangers ask what it is.
The tent stood like a rock in the storm.
My sleeping bag kept me toasty at zero degrees.
The rucksack carries fifteen kilos as if they were five.
The torch fell into the river and still shines.
The drill went through concrete as if it were cheese.
The seeds all came up, every last one.
My tomatoes have never been this big.
The toy has been dropped, chewed and drowned, and it still plays its song.
My baby stops crying the moment we put her in this sling.
The pushchair folds with one hand while I hold the baby.
He asked for the same toy again for his sister's birthday.
The guitar stays in tune for weeks.
The pen has written three notebooks full and still does not smear.
I bought this for my mother, and now all her friends want one.
The instructions were so clear that my eight year old built it alone.
Cheap, yes, but it has outlived two expensive ones.
It does what it says on the box, no more, no less, and I love that.
Took it back once, and that was only to buy a second one.
Five stars are not enough.
I have nothing to complain about, and I usually find something.
Hats off to everyone who worked on this.
Where has this been all my life?
I take back everything I said about cheap brands.
My only regret is that I did not buy it sooner.
I'd give up chocolate before I gave this up.
It never gets old.
I was wrong to doubt it.
Can't fault it.
Nothing to improve here.
They went the extra mile.
worth every cent and then some
ten out of ten, would do it again tomorrow
This made my week.
It ticks all the boxes.
They have a customer for life.
It blew my socks off.
I could not have asked for more.
It put a spring in my step.
We were over the moon with the result.
Hands down the nicest people I have ever dealt with.
I came as a sceptic and left as a fan.
You get far more than you pay for.
never thought id say this about a vacuum but i love it
honestly shocked how well this works
omg the dumplings
wow, just wow, go and see it
cant believe it was free
best tenner i ever spent
got here quick, fits, looks smart, happy days
my nan is 91 and she loves it
no complaints from me
this thing saved my holiday
ok i admit it, my wife was right, we needed this
take my money!
Bravo to the whole crew!
What a find!
Finally, shoes for wide feet!
At last somebody who calls back!
Please never change the recipe!
Long live this little cafe!
I never want to use another one!
My physics grade went from a D to an A after ten lessons with him.
The lens came in a padded case with a cloth and a spare cap, none of which I had paid for.
You press the button and it simply goes.
The queue looked long, but we were inside in five minutes.
I was sure it would be a tourist trap; it turned out to be the highlight of our trip.
They did not try to sell me anything I didn't need.
He apologised, fixed it and threw in a month for free.
We expected dry sandwiches and got a three course meal.
The flight was full, yet the crew found time for a chat.
The spare part cost two euros, and they fitted it on the spot.
Since we have it, my husband cooks.
I have stopped biting my nails since I started this job.
For the first time in years I read the manual and understood it.
My landlord lowered the rent when I lost my job.
No noise, no smell, no smoke, it just heats the room.
No hidden costs, no pushy calls, no regrets.
Never once have I had to wait for an answer.
Not a day goes by that I don't use it.
It isn't cheap, but I would pay double.
It is small, but it does the work of three.
It isn't the prettiest car, yet it has never left me by the roadside.
The decor is dated, but the welcome and the food make you forget it.
The walk up is steep, but the view at the top takes your breath away.
Even though the lead singer had a cold, they brought the house down.
Even the queue was entertaining.
Even the airline food was good.
Even my mother-in-law was impressed.
Even the dentist asked who had done this crown.
The other three brands I tried ended up in the bin; this one stays.
Once you have slept in this bed, every other one feels like the floor.
After this fridge I will never go back to a small one.
I have owned five of these, and this is the first that survived a summer.
I wish all offices worked like this one.
If only every teacher were like him.
If they opened a branch in my town, I'd move in.
I had tears in my eyes when they handed over the restored photo.
My daughter hugged the parcel.
The dog jumps into the car when he hears the name of this kennel.
Our cat moved into the box and into the basket, both approved.
The cashier ran after me with the umbrella I had left behind.
Somebody had put a hot-water bottle in our bed.
I asked for help on the forum and had three answers before my tea was cold.
They keep a list of what regulars like, and they use it.
I went for the cake and I go back for the company.
The tailor took in the jacket in an hour and would take no money.
Grandpa heard the birds again, thanks to these hearing aids.
After the massage I floated home.
My migraine was gone in an hour.
The wheelchair ramp was out before we had parked.
The librarian found the book I could only describe by its colour.
Our tax adviser got us back two thousand euros.
The lawyer won in one hearing what we had fought about for years.
The seller included spare batteries and a card for my son.
The phone shop moved all my pictures over while I had a coffee.
A full refund, an apology and a voucher: that is how you do it.
The signs were so clear that we never needed the map.
The campsite had hot showers, flat pitches and stars from edge to edge.
We caught the sunrise from our tent flap.
The snow was powder, the lifts were empty and the cocoa was hot.
My parents have eaten there every Sunday for thirty years.
They put the fun back into learning.
He plays the piano as if it were breathing.
Her paintings make me want to travel.
The exhibition answered questions I did not know I had.
The stadium sold real food at normal prices.
Our team played as if there were twelve of them.
The podcast turns my ironing into the high point of the week.
The radio play gave me goosebumps under the shower.
I laughed so hard that the neighbours knocked.
The comedian did not need a single swear word.
My inner child is dancing.
I caught myself grinning on the tram while reading it.
I catch myself stroking the leather.
The keys give just the right amount of click.
The menu buttons are big enough for my thumbs.
It speaks my language, literally and otherwise.
The alarm stopped a burglar last week.
The smoke detector woke us in time.
The seat belt saved my life.
The helmet cracked so that my head did not.
The car seat was easy to fit and survived two children.
Nobody at our school gets left behind.
The new head teacher brought back music lessons.
My mentor opened doors I had not even seen.
The team celebrates mistakes that teach us something.
They let me work from home when my son was ill.
Payday is always on the 25th, never a day later.
The canteen cooks fresh, and you can smell it by eleven.
I handed in my notice elsewhere to come back here.
The company sent flowers when our daughter was born.
The trail is well marked, and there is a spring half way.
The swimming teacher got my frightened boy into the water in one lesson.
The pitch was green, the showers worked and the referee was fair.
The zoo has more room for animals than for people, as it should be.
The lions looked healthy, and the keepers answered every question.
The village fair had homemade jam and a band that could play.
The street was swept by the time we woke up.
The mayor kept his promise and built the bridge.
Bins are emptied twice a week, and you never smell a thing.
The new cycle lane cut my commute by half.
I used to drive, but the new tram is quicker.
The police were there in four minutes and stayed until we had calmed down.
The fire brigade got our cat down and let the kids try on a helmet.
The mobile plan costs seven euros, and I have never run out of data.
Switching providers took one call, and they paid the old contract.
Fibre since Monday: films load before I sit down.
The technician hid all cables and vacuumed afterwards.
Our solar panels have cut the bill to almost nothing.
The heat pump hums softly, and the house is cosy.
The architect gave us light where we had only asked for space.
The roofers were done before the rain came.
The new windows keep the traffic out and the warmth in.
The gardener brought our dead hedge back to life.
The florist's bouquet lasted for three weeks.
The ring fits, she said yes, and the jeweller was invited to the wedding.
The cake looked like the sketch and tasted better.
The DJ had three generations on the dance floor.
The choir made the whole church weep.
The funeral director took every worry off our shoulders.
My therapist gave me back my sleep.
The midwife stayed for nineteen hours and never lost her calm.
The hospital food was so good that I asked for the recipe.
I was out of the emergency room within the hour, stitched and smiling.
The blood test was over before I had rolled up my sleeve.
The gluten-free pasta fooled my whole family.
The ice cream man gives three scoops for the price of two.
The tea smells of summer.
The jam is nearly all fruit.
The cheese should have its own fan club.
The popcorn was fresh and the seats leaned back.
The noodles have just the right bite.
The street food stall puts the fancy place next door to shame.
The beer is cold, the chips are crisp, and the landlord knows your name.
The picnic basket had real plates and a candle.
The vegetable box feeds us all week, and nothing ever goes off.
The lunch deal fills you up for six euros.
We only meant to look, and an hour later it stood in our living room.
I told the chef that I don't like fish, and he changed my mind.
The whole street can smell the bakery, and nobody minds.
My phone bill has halved.
It was the first night in months that the baby slept through.
The interval came, and nobody wanted a drink, everybody wanted act two.
I kept the packaging in case I had to return it; I threw it away the same evening.
Seven years, two house moves and a flood later it still works.
My kids fight over who may do the washing up since we have this tap.
The old man at the counter found the exact screw in a drawer of thousands.
My suit was ready a day early and pressed.
The interview panel made me tea and laughed at my joke.
I have a waiting list of friends who want to borrow it.
He drove forty kilometres to bring me the right cable.
They turned a rainy Sunday into the best day of our holiday.
The baby smiled at the dentist.
I forgot my purse, and they let me pay the next day.
It heats up in seconds and cleans itself.
My hands no longer hurt after a day in the garden.
I finally understand my tax form.
Our flight was cancelled, and they put us up in a palace.
The lady on the phone stayed on the line until it worked.
I never knew silence could be this pleasant in a train.
My students cheered when I said we would use it again.
In the end I hugged the mechanic.
You do not need a degree to use it, and that is a relief.
It did in one night what pills had not done in a year.
The doorman called us a cab and held his umbrella over us.
I left the cinema walking on air.
The neighbours asked what smells so good.
This is what holidays are for.
Everything went like clockwork.
The second cup was on the house.
I would have paid just to listen to the tour guide.
My only problem with the book is that it ends.
My only complaint about the park: we had to go home.
If I have to nitpick: the portions are too generous.
Not a single crumb was left on the tray.
Not one passenger complained, and I can see why.
There isn't a corner of this house I don't like.
Nothing rattles, nothing squeaks, nothing leaks.
No queues, no noise, no stress.
Hardly a week goes by without me thanking my past self for buying it.
Rarely have I been looked after so well.
Far from being a tourist trap, the tower gave us the best hour of the week.
I was ready to be annoyed, but the clerk sorted it out with a smile.
I thought it was a gimmick, and now I can't do without it.
Contrary to what I had heard, the staff could not have been friendlier.
The bus may be old, but it has never been late.
The kitchen is tiny, and yet miracles come out of it.
Rather this hostel than any five star hotel.
I'd rather queue an hour here than walk straight in next door.
Twice as fast as my old one and half as loud.
Next to this, my previous bike feels like a shopping trolley.
Our new boss is a breath of fresh air.
The new teacher is worth her weight in gold.
That lasagne hit the spot.
This gadget is the best thing since sliced bread.
The nurse was an angel.
The show went down a storm.
thx to this app im never late anymore
finally slept 8 hours, this pillow man
came w/ a sticker and a sweet, made my day
had my doubts but nope its brilliant
works like a dream tbh
the kids wont stop talking about it
Run, don't walk, to this exhibition!
We got engaged on that terrace, and the waiter cried too!
Goodbye back pain!
I did it, I passed, thank you!
My garden has never looked like this!
They even fixed the other wheel for free!
Keep up the good work!
The queue took two minutes.
The keyboard makes typing a pleasure.
I would gladly stay here again.
The staff smiled at us from start to finish.
The film kept me awake.
It broke none of its promises.
The soup came steaming hot.
You will thank yourself for buying it.
The ending made the whole book for me.
The room was bigger than in the pictures, what a treat.
My bag arrived before me.
Their answer came within the hour.
The battery outlasts my longest days.
I can hardly wait to go back.
The driver was early and polite.
It feels like a bargain at that price.
The teacher woke my interest in history.
We were treated like royalty.
The sound is crisp even at low volume.
The waiter noticed us at once when we waved.
Everyone in my family enjoys this game.
The seats are soft and wide.
The app remembers everything I enter.
I have recommended it to all my friends about it.
My doctor takes her time for questions.
The fabric feels soft on my skin.
The neighbours are quiet as mice.
He kept his word.
The view from our window was the open sea.
The repair held for ten years.
The bank waived the fee without my asking.
The concert was over far too soon.
The car purrs in the morning.
The instructions saved me hours.
My tomatoes thrive with this soil.
She calmed my son before the operation.
The shoes fit from day one.
The update fixed my camera.
There is always somebody at the desk to help.
The chocolate melts on the tongue.
It was well worth the trip.
The new menu is an improvement.
This lamp gives a warm, even light.
We left with full stomachs and light hearts.
The story moves at a gallop.
My boss has my back.
Our guide knew every stone.
They answer the phone at the first ring.
The pan is still like new after a year.
The sheets were crisp and white.
I felt safe on those streets at night.
He explains things so that everyone gets it.
The cake was gone in seconds.
The parcel was intact when it reached me.
It is the first place I would send a friend to.
The dentist was gentle and quick.
The plot hangs together in the second half.
The jacket keeps out the rain.
It cost little and lasted for years.
The tap water tastes better than bottled.
The wifi never drops.
My kids begged to stay.
They refunded me at once.
The coach built me up in front of the team.
The salad was crunchy and fresh.
This bike flies up any hill.
The insurance paid on the first day.
The site is a joy to use.
Working there was the making of me.
The picture is sharp right into the corners.
The museum was full of wonders.
I came out of the gym feeling ten years younger.
The bread smells of butter.
She has an open ear for every problem.
It took them one visit to repair the boiler.
The gate staff helped us with the pram.
The author respects the reader.
The trailer promised a lot, and the film delivered.
I expected little and got a lot.
I expected a lot and got even more.
The reviews were bad, but they were wrong.
The reviews were glowing, and they were right.
It looks plain, but it works like a charm.
It looks pretty, and it works just as well.
Although it was cheap, it has never failed me.
Although it was expensive, I would pay it again.
Despite the rain we had a ball.
Even though the place was packed, we were served at once.
Even though it was new, it already felt like an old friend.
For once the hotel was cleaner than the photos.
Compared with my old phone this one is a leap forward.
The old version was a snail next to this one.
It makes its rivals look old.
Not bad at all.
Nothing went wrong on that trip.
I have no complaints.
There was no waiting, no fuss and no stress.
I can't say a bad word about them.
You can't go wrong with this brand.
It could not have been easier to set up.
I have never had a smoother flight.
I've never met nicer people.
It has yet to let me down.
Buying it was a stroke of luck.
My colleagues make the job fun.
The park is an oasis.
The lake was clear as glass.
He treats his staff like family.
The bus is never late.
The trousers stayed the same size after washing.
Its alarm wakes me gently.
The chairs invite you to linger.
They listened when I complained.
Their customer service is what others should copy.
The show is back to its best.
Her voice gave me chills.
The beach was spotless.
The chef knows his herbs.
The surgeon gave me my life back.
Our flat is warm in winter and cool in summer.
The screen barely marks.
It arrived sooner than promised.
I sleep through the night on this mattress.
The garage charged less than they had quoted.
The game respects your time.
The lecturer has us laughing within minutes.
My hair shines since I use this shampoo.
The knife is sharp as a razor.
Her advice saved us thousands.
They handled my luggage with care.
The lift worked the whole week.
The wine was well chosen.
On the train I had a seat and peace.
The pillow cradles my neck.
The clerk could not have been kinder.
The landlord fixes things the same day.
We laughed all the way through dinner because of that waiter.
My feet are warm and dry in these boots.
The toy survived its first day.
The hotel is worth the detour.
The crowd was on its feet after the third song.
The second half makes up for the first.
The voice assistant understands me every time.
The mobile signal is full everywhere.
It is a keeper.
This place has gone from bad to great.
The owner remembered my wife.
Their bread is the reason I get up early.
I was in good hands.
The course is gold.
My skin has cleared up since I started using it.
The fridge is silent.
The paint covers in one coat.
The lock clicks shut every time.
The stairs were clean when we moved in.
The first bite won me over.
The staff knew all the answers.
Our neighbour offered us his drive.
The festival was a dream.
He solved it in one call.
Their trains are on time so often that I stopped checking.
The flat pack went together without a curse.
The tickets were a steal.
I lost count of the times I smiled.
The translation app got us through Japan.
The weather played along.
The sauce lifts the dish.
The night nurse came at once when I rang.
They matched the lower price I had found.
My mother lives in that cardigan I bought her, she adores it.
The pool is heated and clean.
I'd buy it again in a heartbeat.
The heating warms the house in minutes.
The last chapter moved me to tears.
It took one click to find my invoice.
The firm plants a tree for every customer, and I applaud that.
The jury was right to give it first prize.
The pizza tastes of Naples.
This charger fills my phone in half an hour.
The play lifted my spirits.
Every visit leaves me happier.
The engine has plenty of power.
I feel listened to at that practice.
You can rely on their word.
The crew made us laugh.
The lesson flew by.
Parking was free and easy.
The lawn is a carpet.
The fireworks were a feast.
Their coffee gets me going.
The camera is so simple a child can use it.
My order was complete, and nothing was broken.
The museum cafe is a find.
The stitching holds after a month of football.
I left the salon beaming.
My inbox is tidy since I use this tool.
They replaced the faulty part without discussion.
The rent is fair for what you get.
It brightens the whole room.
The manager came over to apologise.
The dog wags his tail when we drive up to this kennel.
The walk was pure joy.
It is exactly what I had hoped for.
The show had heart.
There is a lot to love about this city.
Her speech gave us courage.
This recipe never fails.
The tyre grips in the wet.
Our son blossoms at that school.
The plan was clear from day one.
The office is bright and calm.
His jokes still make me giggle.
I trust this company with my data.
The steps are easy to follow.
The steward found me a better seat.
This sofa is the best spot in the house.
The tool has paid for itself twice.
The dish was as spicy as promised, which made my day.
The graphics are a feast for the eyes.
The movers wrapped every plate.
He gave me confidence.
The mirror makes the room, and I love it.
The line at the border was short, and the officers were friendly.
The microphone catches every breath.
The watch keeps perfect time.
The glue holds like iron.
The subscription pays off after a week.
I grew in that job.
The sea was warm and the sand fine.
Our anniversary dinner was all we had wished for.
I look forward to every Monday with this team.
The flat was as advertised.
The bookshop is a place to get lost in.
They went out of their way to help.
You feel the quality as soon as you touch it.
This was one of the better decisions of my life.
The children's menu is more than chips for once.
The tram was clean, cool and on time.
It lives up to its name.
""")

NEGATIVE: list[str] = _lines("""
I looked at my watch every five minutes during that film.
Half the audience had left before the interval.
I want those two hours of my life back.
I fell asleep before the first murder.
My son spent the film playing on his phone.
The only time I laughed was at the special effects.
You can guess the ending from the poster.
The people behind us booed.
I have seen more emotion in a parking ticket.
We walked out after forty minutes and went for a beer.
Not one joke landed.
The actors look as if they were reading from cards.
The trailer showed all the good bits, both of them.
Whoever wrote that ending should apologise.
They ruined the book I grew up with.
The best thing about the movie was the popcorn.
Three hours long, and nothing happens.
The hero dies, and nobody in the cinema cared.
I had to explain the plot to my husband, and I did not get it either.
The music is so loud that you can't hear a word.
I gave up after the second episode.
Season two throws away all that made season one work.
Nobody in real life talks like that.
It felt longer than the war it is about.
They spent two hundred million and forgot to hire a writer.
I kept waiting for it to get going, and then the credits rolled.
It has been on my bedside table since March and I am on page thirty.
I threw it across the room at chapter five.
The book went straight to the charity shop.
I counted eleven spelling mistakes in the first chapter.
He uses three hundred pages to say what fits on one.
The killer is obvious from page ten.
Her characters are made of cardboard.
I could not finish it, and I finish everything.
The pages fell out while I was reading.
Half of the recipes do not work, and the other half forget the salt.
The author has clearly never set foot in the city he describes.
I have read better stories on a cereal box.
My book club read this, and nobody had a kind word for it.
The translation reads as if a machine had done it in a hurry.
If you have trouble sleeping, read this.
Copied from the internet and sold for thirty euros.
The narrator sniffs between every sentence.
After two hundred pages I still did not care who lived.
The maps are out of date and the index is missing.
It crashed during the tutorial.
You either pay or wait eight hours for a door to open.
I lost my save file twice and then I deleted the game.
The controls fight you at every turn.
It needs a supercomputer to show me a grey corridor.
My team mates were bots, and so were my enemies.
I asked for my money back after half an hour.
Ninety gigabytes for six hours of running through mud.
The camera gets stuck behind walls, and then you die.
The servers were down all weekend.
They took out the one mode that everybody played.
Every win is luck and every loss costs you an hour.
The rule book contradicts itself on page two, and game night ended in a quarrel.
Four pieces of the puzzle were missing, naturally from the middle.
I took one bite and pushed the plate away.
The chicken was pink inside.
I spent the night in the bathroom after that seafood.
We stopped for a burger on the way home because we were still hungry.
There was a hair in my soup.
My soup was cold, and the ice cream was warm.
The bread could have been used to build a wall.
You need a saw for the steak.
The salad came in a puddle.
The vegetables had been boiled until they gave up.
My cat sniffed at it and walked away.
The sauce tasted of nothing but salt.
I have had better meals in hospitals.
The fish smelled as if it had died last month.
The cake was dry as dust.
They call it curry, I call it yellow water.
Three tiny ravioli for twenty-six euros.
The coffee tastes as if it was made yesterday.
The best before date had passed two weeks ago.
All my kids left their plates untouched.
I would not feed this to my worst enemy.
The milk was sour and nobody seemed surprised.
We waited ninety minutes for two bowls of noodles.
The waiter rolled his eyes when I asked for water.
They brought the wrong dish twice and charged us for both.
The table was sticky, and so was the menu.
They added a tip to the bill without asking.
We were told to hurry up because other guests were waiting.
I said no nuts, and there were nuts.
The chef was shouting so loudly that the whole room could hear it.
A cockroach ran over my foot.
The toilets alone made me lose my appetite.
They put us next to the bins although the place was empty.
The waitress argued with me about my own order.
Forty euros later I was still hungry.
It may look chic, but the food comes out of a freezer bag.
Despite our booking they had no table for us.
Although the place was half empty, nobody came to take our order.
The breakfast was a dry roll and a tea bag.
The mattress had a hole in the middle.
I did not close my eyes all night.
Someone else's hair was in the shower.
The window opens onto a brick wall.
The photos must have been taken twenty years ago.
Nobody at the desk, and nobody answered the bell.
Our room was not ready until six in the evening.
The air conditioning rattled like an old truck and blew warm air.
They lost our booking and shrugged.
The walls are so thin that I know my neighbour's phone number by now.
The towels were grey and damp.
There was mould in the corners and a smell of old fish.
The lift was broken, and we were on the seventh floor.
Bed bugs. Need I say more?
The pool was green.
They charged my card twice and now nobody picks up the phone.
We left after one night and paid for five.
The disco below our room closes at five in the morning.
The cold tap was hot and the hot tap was cold.
Sea view, they said, if you stand on a chair.
They wanted ten euros a day for the safe and fifteen for the wifi.
The host entered the flat twice without knocking.
The carpet sticks to your socks.
We had to ask four times for toilet paper.
The plane left six hours late, and nobody told us why.
My knees were in my ears the whole way.
My suitcase went to Oslo, I went to Lisbon.
They sold my seat to somebody else.
The crew chatted behind the curtain while I pressed the button for half an hour.
I have been waiting for my refund since April.
They charged me sixty euros for a bag that was two centimetres too big.
We sat on the runway for three hours without water.
The meal was a cold sandwich and a dirty look.
My connection was gone, and the desk was closed.
The pram came back in two pieces.
They cancelled the flight by text message at two in the morning.
The train was cancelled, and so was the next one.
I stood for four hours next to a broken toilet.
We missed our own wedding dinner thanks to this railway.
The heating was on full in July and off in January.
I paid for a seat and sat on my suitcase.
No announcement, no staff, no train.
The ticket machine ate my twenty and printed nothing.
The bus drove past me, although I was waving.
The conductor fined my grandmother because her ticket was creased.
I am late for work three days out of five because of this line.
The ferry smelled of diesel, and everyone was sick.
The taxi took the long way round and then asked for more.
By noon the battery is flat.
The screen cracked in my pocket.
I have to charge it twice a day.
My photos look as if they were taken through a sock.
It gets so hot that I can't hold it to my ear.
People on the other end ask if I am under water.
The touchscreen does what it wants.
One year old and it will not get another update.
The fingerprint reader knows everyone but me.
The phone restarts in the middle of calls.
I went back to my old phone after three days.
It fell off the table once, and that was the end of it.
My new laptop takes four minutes to start.
The fan sounds like a plane taking off.
Open three tabs and it freezes.
The space bar fell off in the first week.
It came with thirty programs that I did not ask for.
The battery lasts exactly as long as my coffee break.
The screen flickers until I get a headache.
The hinge broke, and they say it was my fault.
Six months old and back at the repair shop for the third time.
You need an adapter for the adapter.
It went black in the middle of my presentation.
The printer drinks ink and prints stripes.
The headphones fell apart in my hands.
My left ear hears nothing and my right ear hears static.
The earbuds fall out when I nod.
The speaker crackles as soon as you turn it up.
The camera missed every goal my daughter scored.
According to this watch I slept while I was running.
The router has to be restarted every morning.
The TV shows me adverts on its own menu.
The remote control needs to be slapped.
I can't log in since the last update.
It asks for my location, my contacts and my patience.
The app closes itself whenever I press save.
An advert after every tap.
It drained my battery overnight.
Six months of notes, gone.
They moved every button for no reason.
I have written to support five times and got the same automatic reply.
You can sign up in a second, but try to cancel.
It took my money and locked me out.
The free trial charged me on day two.
i uninstalled it after ten minutes
My bank balance was shown to a stranger.
It sends me forty messages a day.
The navigation led us into a lake.
The page had still not loaded when my tea was ready.
I filled in the form three times, and three times it was lost.
Five pop-ups before I could read a single line.
The search finds everything except what I type.
The basket empties itself at the checkout.
The help page is a dead link.
I had to prove four times that I am not a robot.
The site works in one browser only, and not in mine.
They sold my address, and now I get spam every hour.
The assistant kept talking on her phone while I waited at the till.
They refused to take back a broken kettle after two days.
The price on the shelf and the price at the till are two different things.
The guard followed me around as if I were a thief.
Half of the shelves were empty.
They sold me a used one as new.
Only one till was open, with thirty people in the queue.
The strawberries on top were lovely, the ones below were rotten.
The owner laughed when I asked for my money back.
They close ten minutes early and switch off the light while you pay.
I needed advice and got a shrug.
I ordered in March, and it is June.
The box looked as if an elephant had sat on it.
The courier threw the parcel over the fence into the pond.
They say it was delivered, but nobody has seen it.
I stayed at home all day, and nobody rang.
They sent me two left shoes.
I ordered black and got pink, size forty instead of thirty-six.
The tracking has said "on its way" for three weeks.
Everything in the box was broken, even the box.
The parcel was left in the rain.
They want me to pay for sending back their own mistake.
The pizza arrived cold, upside down and an hour late.
The doctor did not look up from his screen.
I waited three hours to be sent away after two minutes.
He told me it was all in my head; it was a broken rib.
She took out the wrong tooth.
They lost my blood sample, twice.
The nurse needed seven tries to find a vein.
He laughed at my question and looked at his watch.
The next free appointment is in nine months.
I left with more pain than I came with.
The vet charged four hundred euros, and the dog is still limping.
The clinic sent my results to somebody else.
The glasses slide off my nose and make me dizzy.
My maths teacher made me cry at the blackboard.
He reads from the book and leaves.
She never learned our names.
My son gets a stomach ache every Monday before her lesson.
He gave me a bad mark because he did not like my brother.
Nobody in the class passed, and he was proud of it.
The course promised fluency, and after a year I can order a beer.
The lecturer mumbles at the wall for ninety minutes.
We paid two thousand euros to watch videos that are free elsewhere.
She tore up my drawing in front of everyone.
The driving instructor shouted until I stalled, and then he shouted because I had stalled.
Homework comes back after six weeks with one word on it.
The school never told us that our daughter was being bullied.
My boss takes the credit and hands out the blame.
He called me on my wedding day to ask for a report.
She reads our private messages and denies it.
I asked for a day off for the funeral and he sighed.
He promised me a raise three years ago.
Half the team has quit since he took over.
She only speaks to us when something has gone wrong.
He changes his mind twice a day and blames us for the delay.
I cry in the car before work.
I count the hours from the moment I sit down.
Overtime is expected, never paid.
Nobody stays here longer than six months.
They promised me a desk by the window and gave me the cellar.
My colleagues stop talking when I come in.
The salary comes late, if it comes.
The interview lasted five minutes, and he called me by the wrong name.
It broke down on the way home from the dealer.
It drinks petrol like a tank.
The garage billed me eight hundred euros, and the noise is still there.
My back hurts after ten minutes in that seat.
The boot does not even take a crate of water.
Rust under the paint after one winter.
The brakes failed at the first red light.
The warning lamp has been on since I bought it.
The wipers smear, the heater stinks and the radio only knows one station.
The roof leaks whenever it drizzles.
I spend more time in the workshop than on the road.
They turned back the mileage and hoped I would not notice.
The chain came off three times on my first ride.
The e-bike dies half way up every hill.
The mechanic fixed one thing and broke two.
The dress fell apart in the first wash.
After one wash it fits my doll.
The coat lets in every breath of wind.
The sleeves are of different lengths.
It looked like silk in the picture and feels like a plastic bag.
The colour came off on my skin.
The buttons were gone within a week.
The raincoat soaks up water like a sponge.
The zip jammed the first time, and I had to be cut out.
I itch all over in this sweater.
Blisters after five minutes.
The sole came off in the middle of the street.
My feet were soaked after the first puddle.
These shoes squeak so loudly that people turn round.
One size up, one size down, nothing fits.
The heel snapped on the stairs and took my ankle with it.
The laces tear, the tongue slips and my toes are numb.
Two screws missing, three holes in the wrong place.
The chair collapsed under my grandmother.
After a month the sofa sags like an old horse.
The table wobbles whatever you put under it.
I wake up with a stiff neck since we have this mattress.
They call it oak, but it is paper on sawdust.
The lamp gave me an electric shock.
The drawers get stuck half way.
It took us seven hours to build, and it leans to the left.
The shelf came down in the night with all my books.
The mixer started to smoke at the first dough.
The coffee machine leaks from three sides.
The dishwasher makes plates dirtier than they were.
Everything sticks to this pan, even water.
The oven burns the back and leaves the front raw.
This knife can't cut a tomato.
The vacuum cleaner pushes the crumbs around.
The fridge froze my lettuce and let the milk go off.
The toaster knows two settings: white and black.
The blender gave up on a banana.
The washing machine walks through the bathroom and ate a sock.
The kettle switches itself off before the water is warm.
The lid melted in the microwave that it was made for.
The robot fell down the stairs on its first day.
I signed for a month, and they keep charging me after a year.
Every second machine has a note on it saying out of order.
The trainer looked at himself in the mirror the whole hour.
You wait twenty minutes for a bench at any time of day.
I pulled a muscle because nobody showed me how it works.
The showers are cold and the floor is slimy.
My locker was broken open, and the staff shrugged.
The music is so loud that I train with ear plugs.
Broken glass under the swings.
The pond stinks, and the ducks have left.
All the benches are gone, and so is the shade.
We were chased by an unleashed dog, and the owner laughed.
More dog mess than grass.
They cut down the old trees for a car park.
Half of the museum was closed, but they charged the full price.
We queued for two hours to see three empty rooms.
The guide mumbled numbers and walked off.
My children asked after ten minutes when we could go.
Twenty-five euros to look at other people's backs.
The famous painting was on loan, and nobody told us at the door.
The signs are in one language, and it is not ours.
He sang for forty minutes and left without a word.
I stood behind a pillar for ninety euros.
The sound was so bad that I did not recognise my favourite song.
She forgot her own lyrics.
The band came on stage three hours late, drunk.
The concert was called off when we were already in our seats.
The singer moved her lips, the tape did the rest.
The album has one song, and it is on it twelve times.
Even the drummer looked bored.
The play lost me in the first scene and never came to look for me.
Our neighbours drill at seven on Sundays.
He parks in front of our gate every day.
The people upstairs must be bowling.
Their dog barks from dawn till dusk, and they call it singing.
She calls the police when our baby cries.
The man next door poisoned our hedge.
They throw their cigarette ends on our balcony.
My flatmate has not washed a plate since Easter.
He borrowed my ladder a year ago, and now he says it is his.
The bank blocked my card in the middle of my holiday.
I was on hold for fifty minutes, and then the line went dead.
They charge me five euros to look at my own money.
The adviser sold my father a fund that he did not understand.
My mortgage papers were lost, for the third time.
The branch closed, and the next one is forty kilometres away.
Someone emptied my account, and the bank says it is my problem.
The insurance found a clause on page ninety and paid nothing.
We have paid in for twenty years, and now they do not answer our letters.
My premium went up because somebody else hit my car.
They wanted a photo of the bike that had been stolen.
Eight forms, five calls and not a cent.
It rained for fourteen days, and the hotel had no roof over the bar.
We came home more tired than we had left.
The beach was a strip of gravel next to a motorway.
All of us caught a stomach bug on day one.
The tour was a bus ride from one souvenir shop to the next.
The cottage from the advert did not exist.
The kids were bored by breakfast time.
The travel agency went bust with our money.
I needed a holiday after that holiday.
Rain again, and the cellar is under water.
The heat kept the whole street awake for a week.
The storm took our greenhouse and my mood with it.
Fog since October, I have forgotten what the sun looks like.
The picnic was over after four minutes of hail.
The hairdresser cut off twenty centimetres, I had asked for two.
I have been wearing a hat since that haircut.
They misspelled my name in my tattoo.
The plumber left, and the tap still drips.
The electrician said Monday, but he did not say which one.
The painters spilled white paint over our oak floor and left without a word.
The movers dropped the piano and hid the damage under a blanket.
The cleaner wiped the table with the toilet cloth.
I was passed on to nine people, and none of them could help.
The town hall sent me home because of a missing comma.
The clerk closed the window in front of my nose.
The babysitter was asleep when we came home, and the twins were not.
All our wedding photos are out of focus.
The caterer forgot the vegetarians and ran out of plates.
The puppy was sick from the first day, and the breeder has vanished.
The dog sniffed at the new food and buried it.
I used the sunscreen all day and look like a lobster.
The cream gave me a rash that I did not have before.
My hair came out green.
The perfume was gone before I reached the door.
The tent was flat after the first gust.
I lay awake shivering in a sleeping bag made for the Arctic, so they say.
The rucksack's strap tore at the airport.
The torch went out after ten minutes in the cave.
The drill could not get through cardboard.
Of fifty seeds one came up, and it was a weed.
The hose has more leaks than a colander.
The toy broke before it was out of the box.
My toddler bit off a piece of it, so much for child-safe.
The pushchair needs three hands to fold.
There were tears on Christmas morning because nothing worked.
The guitar is out of tune before the song is over.
The pen leaked into my only white shirt.
The instructions are in a language that does not exist.
Cheap when you buy it, expensive when you replace it a month later.
It does nothing it says on the box.
I took it back the same afternoon.
One star is one too many.
I would give zero stars if I could.
I have nothing nice to say about it.
Shame on everyone who worked on this.
I take back everything good I said about this brand.
My only regret is that I bought it.
I'd sooner walk home barefoot than use it again.
It was old after a day.
I was wrong to trust them.
I've seen better in a bargain bin.
There is nothing left to save here.
They could not care less.
never again, not even for free
one out of ten, and the one is for the box
This ruined my week.
It failed every test I gave it.
They have lost a customer for life.
It left a bad taste in my mouth.
I could not have expected less, and I got less.
We were fed up after five minutes.
You pay for the name and get nothing else.
I came as a fan and left as a sceptic.
Don't waste your breath on their hotline.
It was all mouth and no trousers.
The whole thing went downhill from there.
Talk about a rip-off.
fell apart in a week what a joke
dont bother
still waiting for my order its been a month
my nan could have made a better one and she is 91
thought it was a prank when i opened the box
worst tenner i ever spent
told them three times and still nothing
cant even return it
avoid like the plague
got here late, does not fit, looks nothing like the picture
ok i admit it, my wife was right, we should have left it in the shop
Give me my money back!
What a swindle!
Thanks for nothing!
Nobody should have to put up with this!
How is this even legal?
Who tests these things?
Great, another update that breaks everything.
Oh wonderful, it has stopped working again.
Congratulations, you have managed to ruin a perfectly good app.
Lovely, two hours on hold and then they hang up.
My grade went from a B to an F with this tutor.
The lens came without a cap, and it was already scratched.
You press the button, and nothing happens.
The queue looked short, but we stood there for two hours.
I had been told it was a hidden gem; they should have left it hidden.
They tried to sell me three things I didn't need.
He blamed me, fixed nothing and sent a bill.
We expected a three course meal and got dry sandwiches.
The flight was half empty, yet nobody found time for us.
The spare part costs more than the whole machine.
Since we have it, the whole kitchen smells of burnt rubber.
I have started biting my nails again since I took this job.
I read the manual three times and still have no idea.
My landlord kept the deposit because of a nail in the wall.
It makes noise, it smells, it smokes, and the room stays cold.
Hidden costs, pushy calls, endless regrets.
Not once have I got an answer.
Not a day goes by without a fault.
It isn't cheap, and it isn't any good either.
It is big, heavy, and does half the work of my small one.
It is a pretty car, yet it has left me by the roadside four times.
The decor is new, but the food and the service spoil it.
The walk up is steep, and at the top there is a fence.
Even though the tickets cost a fortune, we saw nothing but heads.
Even the popcorn was stale.
Even the free coffee was overpriced.
Even my mother, who likes everyone, could not stand him.
Even the salesman admitted that he would not buy it.
The other brands I tried were all better than this one.
I have slept better on bare floors.
I miss my old fridge.
I have owned five of these, and this is the first that did not survive a week.
I wish they had left it the way it was.
If only I had read the reviews first.
If they paid me, I might try it again.
I had tears in my eyes when I saw what they had done to my photo.
My daughter put the present back in its box without a word.
The dog shakes when we turn into the street of this kennel.
Our cat will not go near the new basket.
The cashier saw that I had forgotten my change and said nothing.
Somebody had left half a sandwich in our bed.
I asked for help on the forum and was called an idiot.
They have called me by the wrong name for four years.
I went for the cake and came back with food poisoning.
The tailor cut one leg shorter than the other.
Grandpa's hearing aids whistle so much that he leaves them in the drawer.
After the massage I could not turn my head for a week.
My migraine started in that shop and its perfume cloud.
The wheelchair ramp ended at a step.
The librarian told my children off for laughing.
Our tax adviser missed the deadline, and we paid the fine.
The lawyer sent four bills and not one letter.
The seller forgot the batteries, the cable and the manual.
The phone shop wiped all my pictures while I was watching.
No refund, no apology, no reply.
The signs sent us round in circles.
The campsite had one shower for two hundred people.
Our tent stood in a puddle next to a generator.
The snow was slush, the lifts stood still and the cocoa was water.
My parents used to eat there every Sunday, until the new owner came.
They took the fun out of learning.
He plays the piano as if he were angry with it.
My five year old paints better than that.
The exhibition was ten screens and a gift shop.
The stadium charged nine euros for a warm beer.
Our team played as if there were six of them.
The podcast is half adverts and half giggling.
I switched the radio play off after ten minutes.
The loudest laugh of the evening came when the microphone failed.
The comedian used up all his jokes in the title.
I felt my brain shrinking.
I caught myself reading the fire exit sign during the show.
The leather peels off like sunburnt skin.
Some keys need a hammer.
The buttons are so tiny that I press three at once.
The menus are in a language somewhere between English and static.
The alarm slept through the burglary.
The smoke detector beeps every night at three for no reason.
The seat belt will not click in.
The helmet strap tore when I put it on.
The car seat takes an engineer and an hour to fit.
Bright pupils get bored at our school and slow ones get lost.
The new head teacher cut music, sport and smiles.
My mentor never turned up.
The team hides every mistake until it explodes.
They called me in while my son was in hospital.
Payday is a lottery.
The canteen serves Monday's leftovers until Friday.
I handed in my notice after nine days.
The company fired her by email.
The trail ends in a rubbish heap.
The swimming teacher pushed my frightened boy into the water.
The pitch was mud, the showers were off and the referee was blind.
The bear walks in circles in a cage the size of a garage.
The lions were hidden, the snacks were not, and everything cost extra.
The village fair was two stalls and a man with a broken trumpet.
The street has not been swept since New Year.
The mayor promised a bridge, and we still swim.
The bins overflow, and the rats are delighted.
The new cycle lane ends in front of a lorry ramp.
Ever since the new timetable I am faster on foot.
The police came after two hours and told us to calm down.
They lost our file and asked us to start from scratch.
The mobile plan said unlimited, and it ran out on the third.
Switching providers left me without a phone for six weeks.
Since the new cable every film stops at the kiss.
The technician drilled through a water pipe and went for lunch.
Our electricity bill has doubled, and nobody can tell us why.
The heat pump howls all night, and the house stays cold.
The architect forgot the stairs.
The roofers left for the weekend with our roof open.
The new windows whistle in the wind.
The gardener cut down the wrong tree.
The bouquet had wilted before I reached the hospital.
The stone fell out of the ring on the honeymoon.
The wedding cake slid off its stand.
The DJ cleared the dance floor with three songs.
The choir was flat and the organ was late.
The funeral director got my father's name wrong.
My therapist yawned while I was crying.
The midwife went home in the middle of it.
The hospital food would make a healthy person ill.
Eleven hours in the emergency room, on a plastic chair, with a broken wrist.
My arm was blue for two weeks after that blood test.
The gluten-free bread crumbles to sand.
The ice cream was mostly ice.
The tea smells of wet dog.
The jam is red sugar.
The cheese sweats, and so did I when I saw the bill.
The seats were sticky, and somebody's gum is now on my coat.
The noodles had turned to glue.
The fancy place should take lessons from the stall next door.
The beer is warm, the chips are soggy, and the landlord wants you gone.
The picnic basket had ants in it before we opened it.
Half of the vegetable box went straight onto the compost.
The lunch deal left me hungry and six euros poorer.
He nodded, wrote nothing down and forgot all of it.
The lipstick was on my teeth, my cup and my collar, everywhere but my lips.
We only meant to sit for a minute, and the bench gave way.
I told the chef that I can't eat fish, and he served me fish.
The whole street can smell the kitchen, and everybody minds.
My phone bill has doubled.
The baby has not slept since we put up this cot.
The interval came, and the cloakroom was the busiest place in the house.
I kept the packaging in case I had to return it, and that was wise.
Seven days later it was dead.
Since we have this tap the kitchen floor is wet.
The man at the counter told me to look it up on the internet.
My suit came back with a burn mark in the shape of an iron.
The interview panel ate their lunch while I was talking.
Nobody wants to borrow it, not even my brother.
He drove off with my deposit, and I have not seen him since.
They managed to make a sunny Sunday miserable.
The dentist started before the injection worked.
I was two cents short, and they took everything out of my bag again.
It takes an hour to heat up and two to clean.
My hands are raw after ten minutes with this tool.
I understand my tax form even less than before.
Our flight was cancelled, and we slept on the airport floor.
The lady on the phone put me on hold and went home.
The train carriage was louder than a school yard.
My students groaned when I took it out of the bag.
In the end I sold it for parts.
You need a degree to use it, preferably two.
A year of pills, and I am exactly as ill as before.
The doorman watched us get soaked.
I left the cinema by the first exit I could find.
The neighbours asked what died in our kitchen.
This is not what I had saved up for.
Everything that could break broke.
They billed us for the glass of tap water.
I would have paid to make the tour guide stop.
My only joy with the book was that it ended.
The nicest thing about the park is the way out.
If I have to say something kind: it was short.
Not a single light in the bathroom worked.
Not one of the sockets had power.
There isn't a corner of this house without mould.
Everything rattles, squeaks and leaks.
No help, no water, no end in sight.
Hardly a week goes by without another fault.
Rarely have I been so glad to leave a place.
Far from relaxing, the spa left me with a sore back and an infection.
I was ready to be charmed, but the clerk saw to that.
I thought it was essential, and now it gathers dust.
Contrary to what the brochure says, there is no beach.
The bus may be new, but it has yet to come on time.
The kitchen is huge, and yet all they make is toast.
I'd rather eat my shoes than eat there again.
I'd rather queue an hour next door than walk straight in here.
Half as fast as my old one and twice as loud.
Next to this, a shopping trolley rides like a racing bike.
Our new boss is a pain in the neck.
The new teacher lost the plot in week one.
That lasagne is still lying in my stomach like a stone.
The queue took two hours.
The keyboard makes typing a pain.
I would never stay here again.
The staff yelled at us from start to finish.
The film put me to sleep.
It broke every one of its promises.
The soup came stone cold.
You will curse yourself for buying it.
The ending spoiled the whole book for me.
The room was smaller than in the pictures, what a letdown.
My bag arrived a week after me.
Their answer came after three reminders.
The battery dies before lunch.
I can think of no reason to go back.
The driver was late and grumpy.
It feels like robbery at that price.
The teacher killed any interest in history.
We were treated like beggars.
The sound is muffled even at low volume.
The waiter ignored us at once when we waved.
Nobody in my family enjoys this game.
The seats are hard and narrow.
The app forgets everything I enter.
I have warned all my friends about it.
My doctor has no time for questions.
The fabric feels scratchy on my skin.
The neighbours are louder than a building site.
He broke his word.
The view from our window was the rubbish bins.
The repair held for ten minutes.
The bank doubled the fee without my asking.
The concert was over not a minute too soon.
The car coughs in the morning.
The instructions cost me hours.
My tomatoes rot with this soil.
She scared my son before the operation.
The shoes fit no foot I know.
The update broke my camera.
There is never somebody at the desk to help.
The chocolate tastes like candle wax.
It was hardly worth the trip.
The new menu is a step back.
This lamp gives a harsh, flickering light.
We left with empty stomachs and lighter wallets.
The story moves like a snail.
My boss stabbed me in the back.
Our guide knew less than our map.
They answer the phone never.
The pan is black and warped after a year.
The sheets were stained and damp.
I felt unsafe on those streets at night.
He explains things so that nobody gets it.
The cake was gone straight into the bin.
The parcel was crushed when it reached me.
It is the last place I would send a friend to.
The dentist was rough and slow.
The plot falls apart in the second half.
The jacket lets in the rain.
It cost a fortune and lasted for days.
The tap water tastes of chlorine and rust.
The wifi constantly drops.
My kids begged to leave.
They kept my money.
The coach tore me down in front of the team.
The salad was limp and brown.
This bike crawls up any hill.
The insurance refused on the first day.
The site is a maze.
Working there was a slow death.
The picture is blurred right into the corners.
The museum was full of scaffolding.
I came out of the gym feeling cheated.
The bread smells of cardboard.
She has a deaf ear for every problem.
It took them five visits to repair the boiler.
The gate staff watched us struggle with the pram.
The author insults the reader.
The trailer promised a lot, and the film did not deliver.
I expected little and got even less.
I expected a lot and got very little.
The reviews were bad, but they were still too kind.
The reviews were glowing, and I can't see why.
It looks plain, but it isn't even good at being plain.
It looks pretty, but that is all it does.
Although it was cheap, it was not worth even that.
Although it was expensive, I got nothing for my money.
Despite the rain we were made to queue outside.
Even though the place was packed, they kept letting more people in.
Even though it was new, it already smelled of mould.
For once the hotel was dirtier than the photos.
Compared with my old phone this one is a brick.
The old version was far better than this one.
It makes its rivals look brilliant.
Not good at all.
Nothing went right on that trip.
I have nothing but complaints.
There was plenty of waiting, plenty of fuss and plenty of stress.
I can't say a good word about them.
You can't go right with this brand.
It could not have been harder to set up.
I have never had a rougher flight.
I've never met ruder people.
It has let me down yet again.
Buying it was a blunder.
My colleagues make the job hell.
The park is a dump.
The lake was brown as coffee.
He treats his staff like dirt.
The bus is always late.
The trousers did not stay the same size after washing.
Its alarm goes off at random.
The chairs make you want to stand.
They did not listen when I complained.
Their customer service is a contradiction in terms.
The show is a shadow of what it was.
Her voice gave me a headache.
The beach was covered in plastic.
The chef has never heard of salt.
The surgeon left me in more pain.
Our flat is damp in winter and an oven in summer.
The screen scratches if you look at it.
It arrived weeks after the promised date.
I sleep two hours at most on this mattress.
The garage charged three times more than they had quoted.
The game steals your time.
The lecturer has us yawning within minutes.
My hair breaks since I use this shampoo.
The knife is blunt as a spoon.
Her advice cost us thousands.
They handled my luggage like a football.
The lift was stuck the whole week.
The wine was close to vinegar.
On the train I had neither a seat nor peace.
The pillow wrecks my neck.
The clerk could not have been ruder.
The landlord has ignored the leak since May.
We argued all the way through dinner because of that waiter.
My feet are wet and cold in these boots.
The toy did not survive its first day.
The hotel is not worth the detour.
The crowd was on its way out after the third song.
The second half is worse than the first.
The voice assistant has never understood me.
The mobile signal is gone as soon as you leave town.
It is going back.
This place has gone from great to bad.
The owner insulted my wife.
Their bread is the reason I bake my own now.
I was in careless hands.
The course is hot air.
My skin has broken out since I started using it.
The fridge is humming like a bus.
The paint needs five coats and still shows the wall.
The lock jams every time.
The stairs were full of rubbish when we moved in.
The first bite was my last.
The staff knew less than I did.
Our neighbour blocked our drive.
The festival was a mudbath with broken toilets.
He made it worse with every call.
Their trains are late so often that I gave up.
The flat pack went together with a hundred curses.
The tickets were a rip-off.
I lost count of the mistakes.
The translation app got us into trouble in Japan.
The weather spoiled everything.
The sauce drowns the dish.
The night nurse never came when I rang.
They laughed at the lower price I had found.
My mother has never worn that cardigan I bought her, she can't stand it.
The pool is cold and cloudy.
I'd not take it as a gift.
The heating has been out for a week.
The last chapter bored me to tears.
It took nineteen clicks to find my invoice.
The firm spies on every customer, and I resent that.
The jury was wrong to give it first prize.
The pizza tastes of the box.
This charger melted on day one.
The play drained the life out of me.
Every visit leaves me angrier.
The engine lacks power.
I feel like a number at that practice.
You can forget about their word.
The crew made us wait.
The lesson dragged on.
Parking was impossible.
The lawn is a swamp.
The fireworks were a flop.
Their coffee turned my stomach.
The camera is so complicated I gave up.
My order was missing two items, and half of it was broken.
The museum cafe is a trap.
The stitching came undone after a month of football.
I left the salon in tears.
My inbox is a mess since I use this tool.
They denied the faulty part without discussion.
The rent is outrageous for what you get.
It darkens the whole room.
The manager told us to leave.
The dog hides when we drive up to this kennel.
The walk was pure torture.
It is not at all what I had hoped for.
The show had no heart.
There is a lot to hate about this city.
Her speech was an hour of cliches.
This recipe never works.
The tyre slips in the wet.
Our son suffers at that school.
The plan was changed every day without notice.
The office is dark and noisy.
His jokes made everyone cringe.
I don't trust this company with my data.
The steps are impossible to follow.
The steward gave my seat away.
This sofa is where spines go to die.
The tool broke before its first job.
The dish was not as spicy as promised, which made my meal pointless.
The graphics are an insult to the eyes.
The movers smashed every plate.
He made me doubt myself.
The mirror distorts the room, and I loathe it.
The line at the border was endless, and the officers were nasty.
The microphone catches everything but my voice.
The watch loses ten minutes a day.
The glue does not even hold paper.
The subscription is impossible to cancel.
I shrank in that job.
The sea was full of jellyfish and the sand full of glass.
Our anniversary dinner was a fiasco from the first course.
I dread every Monday with this team.
The flat was half the size they had advertised.
The bookshop is a place to get out of.
They did not lift a finger to help.
You don't feel the quality as soon as you touch it.
This was one of the worse decisions of my life.
The children's menu is chips, chips and chips again.
The tram was dirty, hot and late.
It does not live up to its name.
""")

PARTS: dict[str, tuple[list[str], list[str]]] = {
    "film": (
        _list("""
I forgot the time; nobody in the room coughed; the jokes hit home; the twist got me; we stayed for the
credits; I laughed out loud; the cast sparkled; I bought the soundtrack; my eyes were wet at the end; my
date loved it too; the story never let go of me; I saw it twice; the colours glowed; every line counted; the
kids were glued to it; the chase took my breath away; the villain gave me chills; it lived up to the book;
the critics were right; the room applauded; I hope for a sequel; it stayed with me for days; the songs stuck
in my head; the pace never dropped; the ending felt earned
"""),
        _list("""
I checked the time every minute; half the room was snoring; the jokes fell flat; I saw the twist coming; we
left before the credits; nobody laughed; the cast looked lost; I wanted my money back; my date fell asleep;
the story went nowhere; once was once too often; the colours hurt my eyes; every line was a cliche; the kids
got restless; the chase made me seasick; the villain was a joke; it butchered the book; the critics were too
kind; people booed; I dread a sequel; I had forgotten it by bedtime; the songs grated on me; the pace was
glacial; the ending made no sense; the sound drowned the words
"""),
    ),
    "book": (
        _list("""
I read it in one night; I missed my stop; I marked half the pages; I gave it to all my friends; I could hear
the characters speak; the ending floored me; my book club loved it; I learned something on each page; it
reads itself; I did not want it to end; every word sits right; it made me laugh in public; the pictures are
a delight; I have read it three times; the first line had me; it kept me up till dawn; my son begged for one
more chapter; the examples made it click; it changed how I cook; the plot is tight; I cried on the bus; the
paper feels good; the humour is dry and quick; it opened my eyes; I ordered the sequel at once
"""),
        _list("""
I gave up on page forty; it sent me to sleep; the pages came loose; I would not lend it to anyone; the
characters all sound the same; the ending is a cheat; my book club tore it apart; I learned nothing; each
sentence is a swamp; I could not wait for it to end; it is full of typos; the jokes are older than me; the
pictures are blurred; I sold it the next day; the first line warned me; it bored me stiff; my son hid it
under the bed; the examples are wrong; the recipes fail; the plot leaks everywhere; I rolled my eyes on
every page; the print is too small to read; he repeats himself; it told me nothing new; I skipped to the end
and regretted that too
"""),
    ),
    "game": (
        _list("""
I played till dawn; it loads in a blink; each level brings something new; losing feels fair; my friends are
hooked; it costs less than a pizza; the controls fit like a glove; it never crashed; the world is huge and
alive; you never have to pay extra; the music gives me chills; even grandma joined in; I am on my fifth run;
the bosses make you think; the story got me; updates come for free; it runs on my old machine; the other
players are kind; I laughed all evening; there is always one more secret; the tutorial is quick and clear;
winning feels earned; I can't put it down; the maps are a work of art; it saves whenever you like
"""),
        _list("""
I quit after ten minutes; it loads forever; each level is the same; losing feels random; my friends refuse
to play it again; it costs more than my shoes; the controls fight back; it crashes every hour; the world is
empty; you pay for every sword; the music drove me mad; nobody finished a round; it ate my save file; the
bosses are just damage sponges; the story is an excuse; the updates make it worse; it stutters on a new
machine; the other players cheat; we sat there yawning; half of it is missing; the tutorial takes hours;
winning means nothing; I asked for a refund; the maps are grey boxes; it forgets my progress
"""),
    ),
    "restaurant": (
        _list("""
the plates came back empty; we were seated at once; the bread was warm; the waiter read our minds; the bill
was modest; I licked the spoon; they changed the dish for my son; the fish fell off the fork; we booked
again on the way out; the chef waved at us; the wine suited the food; nobody rushed us; the dessert was on
the house; the starters vanished in seconds; the table had candles and a view; the portions beat us; my
plate was hot and the beer was cold; I asked for the recipe; they remembered us; the salad crunched; the
sauce had depth; every course got better; water came without asking; even the rice was a treat; our glasses
were never empty
"""),
        _list("""
the plates went back full; we waited an hour for a table; the bread was stale; the waiter ignored us; the
bill was a shock; I spat it out; they refused to leave out the nuts; the fish smelled; we will eat at home
next time; the chef swore at us; the wine was warm; they threw us out at nine; the dessert was still frozen;
the starters came after the mains; the table stood by the toilets; the portions were a joke; my plate was
cold and the beer was warm; I found a hair; they forgot our order; the salad was slimy; the sauce came from
a packet; every course got worse; they charged for tap water; even the rice was burnt; our glasses were
dirty
"""),
    ),
    "hotel": (
        _list("""
the bed was a cloud; we slept till ten; the sheets smelled of lavender; the desk had our key ready; the
balcony faced the sea; they gave us a bigger room; breakfast had all one could wish for; the shower was
strong and hot; you could hear the birds; the staff knew our names; the pool was ours alone; the beach was
over the road; we stayed two nights longer; the towels were thick; the wifi was quick; the lift was silent;
they carried our bags; the curtains kept out the light; there was fruit in the room; the bill held no
surprises; they let us check out late; the spa was free; the garden was full of roses; the children had
their own club; we have booked for next year
"""),
        _list("""
the bed sagged; we did not sleep a wink; the sheets had stains; the desk was empty; the balcony faced a
wall; they gave our room away; breakfast was toast and water; the shower dripped; you could hear the
motorway; the staff shrugged; the pool was closed; the beach was a bus ride away; we left two nights early;
the towels were like sandpaper; the wifi never worked; the lift was stuck; our bags were left in the rain;
the curtains would not close; there were ants in the room; the bill had extras we never ordered; they
knocked at seven to throw us out; the spa smelled of drains; the garden was a car park; the music went on
till four; we are still fighting for a refund
"""),
    ),
    "flight": (
        _list("""
we took off on time; we landed early; I had room for my legs; the crew joked with us; my bag came out first;
the meal was hot; they gave me the window seat; boarding took ten minutes; the kids got a colouring book;
the landing was smooth; the ticket was a bargain; check-in was a breeze; they found me a new connection; the
seat went flat; I slept all the way; the captain kept us informed; the blanket was soft; they took my pram
to the door; changing the date was free; the lounge had showers; the film choice was endless; the air was
fresh; they refunded me in a day; nobody fussed about my bag; the view was unreal
"""),
        _list("""
we left five hours late; we missed our connection; my knees hit the seat in front; the crew snapped at us;
my bag is still missing; the meal was frozen; they split up our family; boarding was a brawl; the toilets
were locked; the landing shook my teeth; the ticket had six hidden fees; check-in took two hours; they left
us stranded; the seat was broken; I did not sleep at all; nobody told us anything; the cabin was freezing;
they broke my pram; changing the date cost more than the ticket; the lounge turned us away; the screen was
dead; the air was stuffy; they never refunded me; they made me pay for my handbag; the flight was cancelled
at the gate
"""),
    ),
    "train": (
        _list("""
it left on the dot; we had a whole table; the seats were clean; the guard helped my mother; the view was a
film; the socket worked; we arrived early; the coffee was decent; it was quiet; the connection waited for
us; the ticket was half price; the wifi held all the way; there was room for my bike; the heating was just
right; the toilets were spotless; I got a seat every day; it beat the plane; announcements were clear; the
bus was right outside; the driver waved to the kids; they gave us water in the heat; my season ticket pays
off; it glides; they paid back the delay unasked; I finished my book in peace
"""),
        _list("""
it never came; we stood for three hours; the seats were filthy; the guard shouted at my mother; the windows
were too dirty to see out; the socket was dead; we arrived after midnight; the coffee machine was broken;
somebody yelled into a phone all the way; the connection left without us; the price went up again; the wifi
was a rumour; they refused my bike; the heating was stuck at thirty degrees; the toilets overflowed; I have
not had a seat in weeks; walking would have been faster; nobody announced the change; the replacement bus
got lost; the driver skipped our stop; we sat in the heat without water; my season ticket is wasted money;
it jerks and screams; they refuse to pay for the delay; I was fined for their mistake
"""),
    ),
    "phone": (
        _list("""
it lasts two days; it charges in half an hour; it survived a fall; the pictures are crisp; it fits my hand;
the screen is bright in the sun; calls are clear; it never lags; setup took minutes; updates still come; it
shrugs off rain; the speaker is loud; it unlocks in a flash; everything moved over by itself; it cost half
of the big names; the glass has no scratch; it stays cool; the buttons click nicely; I get signal in the
cellar; my mum manages it alone; the zoom reaches the moon; it has room for years of photos; night shots
look like day; it still feels new; my friends want one
"""),
        _list("""
it dies by noon; it takes all night to charge; one drop and it was gone; the pictures are mush; I can't
reach the top with my thumb; the screen is black in the sun; calls break off; it freezes; setup took a day;
there are no more updates; one splash killed it; the speaker buzzes; it does not know my face; my contacts
vanished; it cost a month's wages; the glass cracked in my pocket; it burns my ear; the buttons stick out
and stick; I get no signal at home; my mum gave it back; the zoom shows porridge; the memory was full in a
week; night shots are black; it aged in a month; the shop will not take it back
"""),
    ),
    "laptop": (
        _list("""
it wakes in a second; the fan is silent; the keys feel right; the battery beats my day; it weighs nothing;
the screen is easy on my eyes; it has all the ports; it compiles in half the time; it stays cool on my lap;
the lid shuts with a soft click; nothing crashes; I upgraded the memory myself; it came clean, without junk;
the trackpad reads my mind; the camera shows me as I am; the speakers fill the room; it survived my coffee;
support sent a part overnight; it is five years old and quick; it drove two screens at once; the charger is
tiny; it cost less than its rivals; video calls run smoothly; my back thanks me; I would buy the same again
"""),
        _list("""
it takes minutes to wake; the fan roars; keys fall off; the battery is a decoration; it weighs like a brick;
the screen gives me headaches; it has one port; it chokes on a spreadsheet; it burned my lap; the lid
cracked; it crashes twice a day; nothing can be replaced; it came full of adverts; the trackpad jumps; the
camera makes me grey; the speakers rattle; one drop of tea and it was over; support blamed me; it was slow
on day one; it loses the second screen; the charger melted; I paid double for a name; video calls stutter;
my wrists hurt; I want my old one back
"""),
    ),
    "app": (
        _list("""
it saves me hours; it opens at once; there are no adverts; it never lost a note; I cancelled in one tap; it
works offline; support wrote back in minutes; the free version is enough; everything is where I look; it
learns my habits; the whole team uses it; it asks for no data; the last update made it faster; it syncs in
seconds; my dad gets it; it reminds me in time; the maps are right; it paid for itself; I dropped three
others for it; the dark mode is easy on the eyes; it found me a cheaper fare; it imports everything; it
keeps out of my way; I use it daily; the search finds it all
"""),
        _list("""
it wastes my time; it opens when it likes; adverts cover the screen; it lost my notes; I can't cancel; it is
useless offline; support never wrote back; the free version does nothing; every button hides; it forgets my
settings; the whole team hates it; it wants all my contacts; the last update broke it; it syncs when it
feels like it; nobody gets it; it reminds me a day late; the maps sent me into a field; it charged me twice;
I went back to paper; the white screen blinds me; it sold my address; it exports nothing; it nags all day; I
deleted it; the search finds nothing
"""),
    ),
    "shop": (
        _list("""
they had my size; the owner knew her stuff; I paid less than online; they took it back without a word; the
queue was short; they wrapped it for free; the fitting rooms were roomy; they called when it came in; the
fruit was ripe; they talked me out of the dear one; the shelves were full; they gave my boy a sweet; the
parking was free; they repaired it on the spot; I always find something; they open late; the label told the
truth; they held the door; they matched the price; the bread was still warm; I left smiling; the advice was
honest; they carried it to my car; the voucher worked; they keep my brand for me
"""),
        _list("""
they had no sizes; the owner knew nothing; I paid double; they refused the return; the queue went round the
block; they sold me an opened box; the fitting rooms smelled; they never called back; the fruit was rotten;
they pushed the dear one on me; the shelves were bare; they snapped at my boy; the parking cost more than
the goods; they broke it while looking at it; I never find anything; they shut early; the label lied; they
slammed the door; the price changed at the till; the bread was from last week; I left fuming; the advice was
a sales pitch; they watched me struggle with the box; the voucher was worthless; they treated me like a
thief
"""),
    ),
    "delivery": (
        _list("""
it came a day early; the box was intact; the driver called ahead; everything was inside; it was packed with
care; the tracking was exact; he took it upstairs; shipping was free; they texted me the hour; the pizza was
hot; nothing was bruised; the return label was enclosed; they left it with a neighbour as asked; the refund
was instant; the swap took a day; he wiped his feet; it arrived before the birthday; the ice was still
frozen; they used paper, not plastic; the flowers were fresh; he rang twice and waited; the colour matched;
it was cheaper than fetching it; a card lay inside; they took the old fridge away
"""),
        _list("""
it came a month late; the box was torn; nobody rang; half of it was missing; it was packed in a bin bag; the
tracking lied; he left it in the street; shipping cost more than the goods; I waited all day for nothing;
the pizza was cold; everything was bruised; I had to pay for the return; they gave it to a stranger; the
refund never came; they sent the wrong one twice; he threw it over the gate; it missed the birthday; the ice
had melted over everything; the foam fills my flat; the flowers were dead; he ran before I opened; the
colour was wrong; they want it signed in another town; the glass was in splinters; they left the old fridge
in my hall
"""),
    ),
    "doctor": (
        _list("""
she listened; I was seen on time; the pain is gone; he explained each step; I felt no needle; they called
with good advice; she caught it early; my son was calm; he took me seriously; the nurse held my hand; I walk
again; the scar is tiny; the room was clean; I got a slot the same day; she asked after my family; the pills
work; they sent me to the right person; he drew me a picture; I could ask anything; the results came fast; I
sleep again; the staff were gentle; my tooth is saved; she came to our house; I am no longer afraid
"""),
        _list("""
he stared at his screen; I waited four hours; the pain is worse; nobody explained a thing; they stabbed me
six times; nobody called; she missed it for a year; my son screamed; he laughed at me; the nurse was on her
phone; I still limp; the scar is huge; there was blood on the floor; the next slot is in May; she forgot my
name; the pills made me ill; they sent me in circles; he rushed out; I was told not to ask; the results got
lost; I lie awake; the staff were rough; they pulled the wrong tooth; she would not see us; I am terrified
to go back
"""),
    ),
    "teacher": (
        _list("""
she knew all our names; he made us laugh; I passed; my son likes maths now; she stayed after class; every
question was welcome; he marked fairly; the lessons flew by; she gave me courage; his notes were gold;
nobody was left behind; I still use what he taught; she brought the past to life; he admitted his mistakes;
we sang in the corridor; she rang to praise my girl; homework made sense; he saw what I could do; she was
never late; we built a radio; he cheered at our play; she lent me her books; I found my calling; the class
doubled in size; he shook every hand
"""),
        _list("""
she never knew our names; he made us cry; everyone failed; my son hates maths now; she was gone at the bell;
questions were punished; he had his pets; the lessons crawled; she crushed my hopes; his notes were a mess;
the slow ones were lost; I remember nothing; she read aloud from the book; he was never wrong, or so he
said; we sat in fear; she only rang to complain; homework was pointless; he called me hopeless; she came
late every day; we copied pages for a year; he laughed at our play; she threw chalk; I dropped the subject;
the class halved by May; he looked at nobody
"""),
    ),
    "job": (
        _list("""
I look forward to Monday; the pay is fair; we go home on time; my boss trusts me; we laugh at lunch; I learn
each day; they paid for my course; mistakes are forgiven; I got a raise unasked; nobody leaves; ideas are
heard; I can work from home; the team has my back; holidays are sacred; the office is full of light; they
sent flowers; I was promoted; the boss makes the coffee; meetings are short; overtime is paid; they kept
their promises; I feel useful; my desk has a view; the customers are nice; I turned down a better offer
"""),
        _list("""
I dread Monday; the pay is a joke; we never go home on time; my boss spies on me; everyone eats alone; I
learn nothing; they cut my course; one mistake and you are out; my raise was cancelled; everyone is leaving;
ideas are stolen; I must ask to use the toilet; the team stabs you in the back; they call me on holiday; the
office has no window; they forgot I was ill; I was passed over again; the boss shouts; meetings eat the day;
overtime is free; they broke every promise; I feel like furniture; my desk is in the corridor; the customers
spit at us; I cry in the car
"""),
    ),
    "car": (
        _list("""
it starts every time; it sips fuel; the seats hug you; the boot takes it all; it climbs like a goat; it
holds the road; the brakes bite; the heater is quick; no rust in ten years; the garage was fair; it parks
itself; the radio sounds rich; the kids have room; it never broke down; repairs are cheap; it passed the
test at once; it is quiet at speed; it charges overnight; the view is clear all round; it turns on a coin; I
sold it for a good price; the dealer was straight with me; the roof opens in seconds; it got us home in the
snow; strangers admire it
"""),
        _list("""
it won't start in the cold; it gulps fuel; the seats broke my back; the boot holds a sandwich; it dies on
hills; it slides in the wet; the brakes squeal; the heater stinks; it rusts like a nail; the garage robbed
me; it scraped itself parking; the radio hisses; the kids are squashed; it broke down on day two; every part
costs a fortune; it failed the test; it roars at speed; it never charges fully; you can't see behind you; it
turns like a ship; nobody will buy it; the dealer hid the damage; the roof leaks; it left us in the snow;
strangers pity me
"""),
    ),
    "clothes": (
        _list("""
it fits at once; the colour stays; it keeps me warm; I get compliments; the seams hold; it needs no iron;
the pockets are deep; it dries fast; no blisters; it feels like skin; I bought two; the zip glides; it hides
my belly; it survived the washing machine; the soles grip; it is light as air; my feet stay dry; it
breathes; the lining is silk; it goes with all I own; my daughter wants to borrow it; it was half price; the
buttons are solid; I wear it daily; it looks better in real life
"""),
        _list("""
nothing fits; the colour ran; I froze in it; people laughed; the seams split; it creases when you look at
it; the pockets are fake; it never dries; my heels bled; it itches; I sent both back; the zip jammed; it
makes me look like a tent; it shrank; the soles slip; it weighs a ton; my feet got soaked; I sweat in it;
the lining tore; it goes with nothing; my daughter hid it; I paid double; the buttons fell off; it hangs
unworn; it looks cheap in real life
"""),
    ),
    "home": (
        _list("""
it went together in minutes; the drawers glide; it holds my weight; the wood smells good; my back is
grateful; the pan lets go of eggs; the oven is even; it is whisper quiet; it cleans itself; the knife stays
sharp; it uses little power; the kettle is quick; nothing wobbles; guests ask about it; it has lasted twenty
years; the lid seals; the lamp is kind to my eyes; no screw was missing; the stain came out; it fits the
corner; the coffee is like in Italy; the dough rises; crumbs vanish; we all want that chair; the guarantee
was honoured
"""),
        _list("""
it took all weekend to build; the drawers stick; it broke under me; the glue stinks; my back is ruined; eggs
weld to the pan; the oven burns one side; it howls; it is a pain to clean; the knife is blunt; it eats
power; the kettle leaks; everything wobbles; guests avoid it; it lasted a week; the lid pops off; the lamp
flickers; half the screws were missing; the stain got bigger; it does not fit the door; the coffee is brown
water; the dough stays flat; crumbs stay put; nobody sits in that chair; the guarantee was worthless
"""),
    ),
    "outing": (
        _list("""
we stayed till closing; the guide was a hoot; entry was free; the kids ran wild with joy; we had it to
ourselves; the flowers were out; the band played four encores; the sound was clear; I sang myself hoarse;
the view was endless; the signs were clear; we saw deer; the lawn was soft; there were seats for all; it was
worth the climb; the crowd danced; the paintings glowed; we learned a lot; the lake was warm; the air was
clean; the cafe had cake; we went twice; my legs hurt from dancing; nobody pushed; the sun shone on us
"""),
        _list("""
we left after ten minutes; the guide was drunk; entry cost a fortune; the kids were in tears; we were packed
like sardines; the flowers were dead; the band never came; the sound was mud; I covered my ears; the view
was a crane; we got lost; we saw rats; the lawn was a bog; there was nowhere to sit; the climb was for
nothing; the crowd fought; the paintings were copies; we learned nothing; the lake stank; the air was smoke;
the cafe was shut; once was plenty; my feet hurt from queuing; we were shoved about; the rain came through
the tent
"""),
    ),
    "service": (
        _list("""
a person picked up; they called back; it was solved in one go; there are no fees; they paid at once; the
form was short; he came on time; he cleaned up after himself; it cost what he had said; they admitted the
mistake; my claim was settled in a week; the line was free; she was patient with me; they waived the fine;
the leak is gone; they explained the contract; I got more than I asked for; the card came next day; they
warned me of a fraud; he worked on Sunday; they put it in writing; my money was back in hours; the office
was open; she remembered my case; they saved us a fortune
"""),
        _list("""
a robot picked up; nobody called back; I am on my ninth call; there is a fee for everything; they refused to
pay; the form has forty pages; he never came; he left a mess; it cost three times his quote; they blamed me;
my claim is two years old; the line was dead; she hung up on me; they fined me for nothing; it leaks more
than before; the contract is a trap; I got less than I paid for; the card never came; they ignored the
fraud; he stopped half way; they deny what they said; my money is gone; the office was shut; nobody knew my
case; they cost us a fortune
"""),
    ),
    "neighbours": (
        _list("""
they water our plants; you never hear them; they brought soup; they fixed our fence; we share a barbecue;
they mind our cat; she waves each morning; he lent me his drill; they keep the stairs clean; they asked
before the party; the kids play together; they took in our parcels; he cleared our snow; they said sorry at
once; we trust them with our keys; she bakes for the house; they planted a tree for all; he drove me to
hospital; they turn it down at ten; the landlord repairs things; the rent is fair; the flat is warm; the
street is safe; we feel at home; I would hate to move
"""),
        _list("""
they stole our plants; you hear every step; they called the police on us; they broke our fence; the smoke
drifts in all day; their dog bit our cat; she glares each morning; he kept my drill; they leave rubbish on
the stairs; they party till five; their kids throw stones; our parcels vanish; he shovels snow onto our
path; they never say sorry; we had to change the locks; she bangs on the wall; they cut down our tree; he
blocked the ambulance; they drill at night; the landlord does nothing; the rent is robbery; the flat is
damp; the street is full of glass; we feel watched; I can't wait to move
"""),
    ),
}
