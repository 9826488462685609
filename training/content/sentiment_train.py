"""Frames and words of opinions for training; `training.tasks.sentiment` puts them together.

A frame reads the same for praise and for complaint: `{adj}` is a word of the wanted polarity, `{adj_x}` one
of the other. `(a|b)` is a choice. Frames that suit one polarity only are in `PRAISE` and `COMPLAINT`.
"""

from __future__ import annotations

from dataclasses import dataclass


def _list(text: str) -> list[str]:
    return [word.strip() for word in text.replace("\n", " ").split(",") if word.strip()]


@dataclass(frozen=True, slots=True)
class Domain:
    """One subject: things without an article, words that fit them, and whole clauses about them."""

    things: list[str]
    good: list[str]
    bad: list[str]
    likes: list[str]
    gripes: list[str]


GOOD = _list("""
good, nice, pleasant, lovely, great, enjoyable, decent, satisfying, impressive, likeable, charming,
reliable, useful, worthwhile, refreshing, polished, solid, thoughtful, memorable, special, cool, fun,
beautiful, elegant, clever, smart, cheerful, warm, welcoming, helpful, friendly, generous, honest,
professional, comfortable, cosy, clean, tidy, smooth, fast, quick, easy, simple, clear, sturdy, well made,
well organised, fair, affordable, interesting, exciting, entertaining, funny, inspiring, uplifting, moving,
touching, relaxing, calm, peaceful, lively, bright, fresh, tasty, convincing, promising, capable,
dependable, trustworthy, attentive, patient, kind, sweet, gentle, considerate, efficient, productive,
rewarding, fulfilling, valuable, appealing, attractive, stylish, graceful, harmonious, classy, powerful,
robust, responsive, engaging, captivating, heart-warming, encouraging, reassuring, rich, creative, original,
imaginative, skilful, competent, sensible, practical, handy, convenient, accessible, tasteful, sincere,
joyful, pleasing, worth every penny, worth the wait, worth the money, good value, well worth it, fine,
agreeable
""")

SUPERB = _list("""
excellent, superb, fantastic, amazing, wonderful, outstanding, brilliant, perfect, marvellous, magnificent,
terrific, phenomenal, exceptional, stunning, spectacular, awesome, incredible, sublime, flawless,
first-rate, top-notch, world-class, unbeatable, glorious, splendid, fabulous, faultless, stellar,
delightful, divine, dazzling, breathtaking, extraordinary, sensational, remarkable, unforgettable, heavenly,
immaculate, exquisite, gorgeous, magical, superior, second to none, impeccable, out of this world,
mind-blowing, first class, tremendous, ideal, fascinating, thrilling, enchanting, masterful, unmatched,
legendary, ace, spot on, blissful, the best, great, beyond praise, a winner
""")

BAD = _list("""
bad, poor, boring, dull, weak, disappointing, annoying, frustrating, unpleasant, mediocre, lousy, sloppy,
tedious, flimsy, unreliable, confusing, clumsy, overpriced, tiresome, irritating, bland, lame, messy,
depressing, dreary, rude, careless, lazy, shoddy, forgettable, underwhelming, uninspired, slow, late, noisy,
dirty, filthy, smelly, stale, cold, unfriendly, unhelpful, dishonest, arrogant, hostile, unfair, greedy,
stingy, chaotic, disorganised, cramped, ugly, tacky, tasteless, shallow, predictable, pointless,
pretentious, silly, stupid, awkward, uncomfortable, painful, exhausting, stressful, gloomy, bleak, grim,
sad, upsetting, worrying, dangerous, fragile, broken, faulty, defective, buggy, glitchy, sluggish, bloated,
outdated, crude, inferior, second-rate, inadequate, insufficient, unconvincing, incompetent, inefficient,
unprofessional, impolite, disrespectful, dismissive, impatient, careless, negligent, misleading, deceptive,
phoney, fake, soulless, lifeless, joyless, monotonous, repetitive, long-winded, over-hyped, overrated,
unimpressive, inconvenient, impractical, complicated, needlessly complex, not worth the money, useless, too
expensive, a bit of a mess, sour, bitter, bad value, bothersome, shabby, grubby, cheaply made, hard to like
""")

DIRE = _list("""
terrible, horrible, awful, dreadful, atrocious, appalling, abysmal, disgusting, pathetic, horrendous,
disastrous, ghastly, hideous, dire, unbearable, unacceptable, worthless, miserable, rotten, vile, rubbish,
garbage, trash, hopeless, insufferable, catastrophic, woeful, lamentable, deplorable, shameful, ridiculous,
laughable, unusable, inexcusable, third-rate, nightmarish, excruciating, disgraceful, revolting, repulsive,
horrid, intolerable, wretched, outrageous, scandalous, terrifyingly bad, beyond bad, the worst, unwatchable,
inedible, infuriating, embarrassing, useless, crap, hellish, toxic, nasty, foul, offensive, despicable, a
rip-off, unforgivable, a mess, absurdly bad
""")

VERY = _list(
    "very, really, so, extremely, pretty, quite, surprisingly, incredibly, genuinely, rather, especially"
)
UTTERLY = _list(
    "absolutely, truly, simply, utterly, really, just, completely, totally, nothing short of, honestly"
)

LOVED = _list("""
loved, enjoyed, adored, liked, really liked, absolutely loved, was impressed by, was delighted with, was
thrilled with, fell in love with, thoroughly enjoyed, was blown away by, was charmed by, was very pleased
with, was won over by, was happy with, had a great time with, was amazed by, cherished, admired, was moved
by, was fascinated by, took great pleasure in, couldn't get enough of, was pleasantly surprised by, was
grateful for
""")
HATED = _list("""
hated, disliked, regretted, detested, loathed, could not stand, really disliked, absolutely hated, was let
down by, was disappointed by, was annoyed by, was fed up with, was appalled by, was disgusted by, was bored
by, was sick of, was unhappy with, had nothing but trouble with, was frustrated by, was put off by, was
shocked by, gave up on, lost patience with, wanted to run away from, was unimpressed by, did not enjoy, did
not like, got no joy out of
""")
LOVE = _list(
    "love, adore, like, enjoy, treasure, cannot praise highly enough, am crazy about, am a big fan of"
)
HATE = _list(
    "hate, dislike, detest, despise, loathe, cannot stand, am sick of, am fed up with, regret ever choosing"
)

LIKE = _list("love, like, enjoy, adore, praise, recommend, admire")
DISLIKE = _list("hate, dislike, avoid, detest, loathe, complain about, curse")

HAPPY = _list("""
happy, delighted, thrilled, pleased, satisfied, impressed, grateful, over the moon, overjoyed, glad,
excited, relieved, amazed, content, charmed, thankful, proud, inspired, ecstatic, touched,
refreshed
""")
UPSET = _list("""
disappointed, angry, upset, annoyed, frustrated, let down, furious, unhappy, dissatisfied, disgusted,
cheated, heartbroken, bored, appalled, insulted, ripped off, irritated, miserable, embarrassed, exhausted,
fed up, livid
""")

JOY = _list("""
a joy, a triumph, a delight, a masterpiece, a gem, a treat, a success, a pleasure, a blessing, a dream, a
winner, a hidden treasure, a breath of fresh air, a bargain, a work of art, a pleasant surprise, a real
highlight, a lifesaver, pure magic, a revelation, money well spent, time well spent, a hit, a feast for the
senses, a class act, a star, the highlight of my week, the best decision I made all year, everything I hoped
for, a perfect choice, a great find
""")
MISERY = _list("""
a disaster, a joke, a waste of money, a waste of time, a letdown, a failure, a nightmare, a disgrace, a
mess, a flop, a rip-off, a scam, an insult, an embarrassment, a mistake, a train wreck, a pain, a headache,
a huge disappointment, a torture, a bad dream, money down the drain, hours of my life I will never get back,
a shame, a total dud, a lemon, the low point of my week, the worst decision I made all year, nothing like
the promise, a sad excuse, a catastrophe
""")

WELL = _list(
    "beautifully, perfectly, brilliantly, flawlessly, wonderfully, superbly, nicely, splendidly, admirably"
)
BADLY = _list(
    "badly, poorly, terribly, horribly, awfully, miserably, dreadfully, shamefully, pathetically, carelessly"
)

COME_BACK = """\
I (will|would|shall) (definitely|certainly|happily|gladly) come back
highly recommended
I would recommend it to anyone
I can warmly recommend it
five stars
five out of five
ten out of ten
I would do it all again
I cannot wait for the next time
my whole family loved it
it made my day
it made my (week|month|weekend|evening|year)
I could not be happier
we could not have asked for more
I have nothing but praise
no complaints (at all|whatsoever)
I cannot fault it
what a (pleasure|joy|delight|treat)
it exceeded all my expectations
it was better than I (expected|had hoped|dared to hope)
I am so glad I tried it
it deserves every award
it is worth every (cent|penny)
thank you so much
big thanks to everyone involved
keep up the good work
two thumbs up
I smiled all the way home
I keep telling my friends about it
do not hesitate
do not miss it
I would give it six stars if I could
it never disappoints
I am already looking forward to the next time
it gets everything right
it does exactly what it should
I have no regrets
I was smiling the whole time
nothing to complain about
everything went smoothly
it could not have gone better
I enjoyed every (minute|second|moment) of it
a must
well done
hats off
chapeau
I am impressed
it is a keeper
it has made my life easier
it brightened my day
it is the best thing I have (bought|tried|seen|done) in (years|ages|a long time)
there is nothing I would change
a solid yes from me
it lives up to the hype
it stole my heart
the best of its kind
I was hooked from the start
I got more than I paid for""".splitlines()

STAY_AWAY = """\
I will never come back
never again
I would not recommend it to (anyone|my worst enemy)
I want my money back
avoid (it|it at all costs|it like the plague)
stay away
one star
one out of ten
zero stars
zero out of five
I regret every (minute|second|cent|penny)
my whole family hated it
it ruined my day
it ruined my (week|month|weekend|evening|holiday)
I could not be more disappointed
I have nothing good to say
I have nothing but complaints
what a (letdown|waste|shame|mess|disgrace|joke)
it fell short of every promise
it was worse than I (expected|had feared|thought possible)
I am sorry I ever tried it
it deserves no award except for worst of the year
it is not worth (it|a cent|the price|the trouble|your time)
do not bother
do not waste your (time|money)
save your money
look elsewhere
two thumbs down
I complained all the way home
I keep warning my friends about it
I would give it no stars if I could
it never works
I dread the next time
it gets nothing right
it does not do what it should
I regret it deeply
I was rolling my eyes the whole time
plenty to complain about
everything went wrong
it could not have gone worse
I suffered through every (minute|second|moment) of it
a clear miss
shame on them
I give up
I am not impressed
it went straight (into the bin|back to the shop)
it has made my life harder
it spoiled my mood
it is the worst thing I have (bought|tried|seen|done) in (years|ages|a long time)
there is nothing I would keep
a firm no from me
it does not live up to the hype
it broke my heart
the worst of its kind
I wanted to leave from the start
I got far less than I paid for
I am still waiting for an apology
nobody cared
I expected (more|better|much more|far better)
it left a bad taste in my mouth
I have had enough""".splitlines()

FRAMES = """\
(The|This|That) {thing} (is|was) {adjp}.
(The|This) {thing} (is|was) {adjp}!
What a {adj} {thing}!
What a {adj} {thing}.
Such a {adj} {thing}!
A {adjp} {thing}.
A {adj}, {adj} {thing}.
{adj} {thing}.
{adj} {thing}!
{adj}, {adj} and {adj}.
{adj}!
{adj}.
Simply {adj}.
Just {adj}.
How {adj}!
So {adj}!
{noun}.
{noun}!
I {loved} the {thing}.
I {loved} (this|that) {thing}.
I {loved} every (part|bit|aspect|minute) of the {thing}.
We {loved} the {thing}.
We all {loved} the {thing}, (my kids|my parents|my friends|the children|my colleagues) included.
I {love} this {thing}.
I {love} this {thing}!
I {love} everything about this {thing}.
(My wife|My husband|My mother|My brother|My boss|My neighbour|She|He) {loved} the {thing}.
(Everyone|Everybody) in our group {loved} the {thing}.
I (am|was|feel|felt) {feel} after (this|that) {thing}.
I (am|was) {feel}.
I am so {feel} right now.
The {thing} left me {feel}.
The {thing} made me feel {feel}.
We were {feel} with how the {thing} turned out.
I came home {feel}.
The {thing} (is|was) {noun}.
This {thing} (is|was|turned out to be) {noun}.
For me the {thing} was {noun}.
All in all the {thing} was {noun}.
From start to finish the {thing} was {noun}.
The {thing} turned out (to be |){adj}.
The {thing} turned out to be (much |far |)more {adj} than (I expected|expected|I thought).
I (find|found) the {thing} {adjp}.
I thought the {thing} was {adjp}.
I have to say the {thing} was {adjp}.
In my opinion the {thing} (is|was) {adjp}.
If you ask me, the {thing} is {adjp}.
To be honest, the {thing} was {adjp}.
Honestly, (this|the) {thing} is {adjp}.
The {thing} has been {adjp} (from day one|from the beginning|all year|so far|every single time).
The {thing} was {adjp} from beginning to end.
Everything about the {thing} was {adj}.
Everything about this {thing} is {adj}, {end}.
The whole {thing} felt {adj}.
The {thing} felt {adj} and {adj}.
The {thing} seemed {adj} at first and stayed {adj} to the end.
The {thing} gets more {adj} every (day|time|week).
This must be the most {adj} {thing} (in town|I have ever seen|of the year|I know|in years).
One of the most {adj} {thing} experiences I have ever had.
By far the most {adj} {thing} I have come across.
I have never (seen|had|known) such a {adj} {thing}.
Never have I seen a more {adj} {thing}.
I have rarely come across a {thing} this {adj}.
Rarely is a {thing} this {adj}.
It was {adjp}.
It is {adjp}!
It was {adj}, {adj} and {adj}.
It was all {adjp}.
That was {adjp}.
That was {noun}.
They did a {adj} job.
They did a {adj} job with the {thing}.
You can tell this {thing} was {adv} made.
The {thing} was {adv} done.
The {thing} was {adv} planned and {adv} carried out.
The {thing} is {adv} put together.
It went {adv}.
The {thing} went {adv} for us.
{fact}.
{fact}!
{fact} and {fact}.
{fact}, {end}.
{fact}, so {end}.
{fact}. {end}.
{end}.
{end}!
{end}, {end}.
The {thing} was {adj}: {fact}.
The {thing} was {adj} because {fact}.
{adj} {thing}, {fact}.
{adj} {thing}, {end}.
{adj} {thing}! {end}!
I was {feel} because {fact}.
I am {feel}: {fact}.
I tried the {thing} (yesterday|last week|this morning|on Sunday|in May|twice) and it was {adjp}.
We came for the {thing} and it was {noun}.
After (two days|a week|three months|a year|ten minutes) I can say that this {thing} is {adjp}.
(Last night|Yesterday|This weekend|Today) the {thing} was {adjp}.
My verdict: {adj}.
Verdict: {adj} {thing}.
Overall: {adj}.
Overall, {noun}.
Overall I {loved} it.
Short version: {noun}. Long version: {fact}.
In one word: {adj}.
In a word, {adj}.
In short, a {adj} {thing}.
Two words: {adj} {thing}.
There is something {adj} about this {thing}.
The more I see of this {thing}, the more {adj} it seems.
I (would|must|have to) call this {thing} {adj}.
I (cannot|can't) describe how {adj} the {thing} was.
Words cannot describe how {adj} this {thing} is.
You will not believe how {adj} the {thing} was.
I did not expect the {thing} to be this {adj}.
Who knew a {thing} could be so {adj}?
Could a {thing} be any more {adj}?
Why is this {thing} so {adj}? {fact}!
Wow, the {thing} was {adjp}!
Wow. Just wow. {fact}.
Oh my, how {adj} this {thing} is!
omg the {thing} is so {adj}
ok so the {thing} was {adjp}, {end}
ngl the {thing} was {adjp}
tbh the {thing} is {adj}
{adj} {thing} imo
{adj} {adj} {adj}!!!
My friends told me the {thing} was {adj}, and they were right.
Everyone says the {thing} is {adj}, and I agree.
The critics called the {thing} {adj}, and they are right.
People around me called it {adj}.
She said the {thing} was {adjp}.
He told us the {thing} was {adjp}, and {fact}.
My sister called the {thing} {noun}.
According to my parents the {thing} was {adjp}.
The guests {loved} the {thing}.
Our customers (say|report|feel) that the {thing} is {adj}.
They (describe|described) the {thing} as {adj}.
A {thing} as {adj} as this is rare.
As a regular I must say: {adj} {thing}.
As a first-time visitor I found the {thing} {adj}.
Update: after a month the {thing} is still {adj}.
Edit: {fact}, {end}.
Long story short, {fact}.
Let me put it this way: the {thing} was {noun}.
No doubt about it, the {thing} is {adj}.
There is no other word for it: {adj}.
You can see at once that the {thing} is {adj}.
{end}. The {thing} was {adjp}.
{end}: {fact} and the {thing} was {adj}.
{fact}, {fact} and {fact}.
First {fact}, then {fact}.
Not only was the {thing} {adj}, {fact} as well.
Not only is it {adj}, it is also {adj}.
It is {adj} as well as {adj}.
The {thing} is both {adj} and {adj}.
Once again the {thing} was {adj}.
As always the {thing} was {adj}.
As usual, a {adj} {thing}.
Still the most {adj} {thing} around.
Every {thing} I had with them was {adj}.
I have been here (twice|three times|many times) and the {thing} was {adj} every time.
The {thing}? {adj}.
The {thing}? {noun}. {fact}.
How was the {thing}? {adj}!
So, the {thing}: {adj}, {end}.
The best word for the {thing} is {adj}.
Anyone who wants a {adj} {thing} should come here.
I will remember this {thing} as {noun}.
This {thing} made me {feel}.
Thanks to the {thing} I am {feel}.
Because of the {thing} we went home {feel}.
It makes me {feel} just to think of the {thing}.
I am {feel} to say that the {thing} was {adj}.
The {thing} is {negated}.
The {thing} was {negated}.
I found the {thing} {negated}.
It was {negated}, {end}.
{negated}.
I must say it was {negated}.
This {thing} is {negated}, {fact}.
The {thing} was {negated} and {fact}.
I would say the {thing} is {negated}.""".splitlines()

CONTRAST = """\
The {thing} was {adj_x} but {fact}.
{fact_x}, but {fact}.
{fact_x} but {fact}.
{fact_x}, but (in the end|overall|all in all|still) {fact}.
The {thing} looked {adj_x} at first, but it was {adj}.
I thought it would be {adj_x}, but it was {adjp}.
I expected something {adj_x}, but the {thing} was {adj}.
We expected the {thing} to be {adj_x}, but it turned out {adj}.
The beginning was {adj_x}, but the rest was {adjp}.
The first (day|hour|week|part) was {adj_x}, but then everything became {adj}.
Although {fact_x}, the {thing} was {adjp}.
Although the {thing} was {adj_x}, I {loved} it.
Even though {fact_x}, {fact}.
Even though it looked {adj_x}, the {thing} was {noun}.
Despite the {adj_x} start, the {thing} was {adjp}.
Despite a few {adj_x} moments, I {loved} the {thing}.
People told me the {thing} was {adj_x}, but {fact}.
My friends {loved_x} it, but I {loved} it.
Some call the {thing} {adj_x}, but I {love} it.
The reviews were {adj_x}, but I {loved} the {thing}.
It may look {adj_x}, but it is {adjp}.
{adj_x} looks, {adj} {thing}.
The price was {adj_x}, but the {thing} itself was {adj}.
I used to {like_x} this {thing}, but now I {love} it.
I was {feel_x} at first, but now I am {feel}.
I arrived {feel_x} and left {feel}.
I wanted to {like_x} it, but I {love} it.
Last year the {thing} was {adj_x}, but this year it is {adjp}.
The old {thing} was {adj_x}; the new one is {adj}.
Compared with the {adj_x} {thing} I had before, this one is {adj}.
Unlike the last {thing}, which was {adj_x}, this one was {adj}.
The others were {adj_x}, but this {thing} was {adj}.
It was {adj_x} for an hour, but {end}.
{fact_x}. But {fact}.
{fact_x}. Still, {fact} and {end}.
{fact_x}. However, the {thing} was {adjp}.
Yes, {fact_x}, but {end}.
Sure, {fact_x}, but I {loved} it all the same.
They say it is {adj_x}. I say it is {adj}.
I cannot understand why others found the {thing} {adj_x}: it was {adj}.
The others found it {adj_x}. I found it {adj}.
Far from being {adj_x}, the {thing} was {adjp}.
Instead of something {adj_x} we got a {adj} {thing}.
It could have been {adj_x}. Instead it was {adj}.""".splitlines()

PRAISE = """\
I could not be (happier|more pleased|more satisfied|more grateful) with the {thing}.
I couldn't have asked for a better {thing}.
You cannot go wrong with this {thing}.
It does not get (any |)better than this.
Nothing comes close to this {thing}.
Nothing beats this {thing}.
No {thing} has ever made me this happy.
I have never had a better {thing}.
This is the best {thing} I have ever (had|seen|tried|come across).
The best {thing} in (town|the country|years|a long time|the world).
Best {thing} ever!
Best {thing} ever, {end}.
Not bad at all!
Not bad. Not bad at all.
Not a single complaint about the {thing}.
There is not a single thing I disliked about the {thing}.
I found nothing to criticise.
I had low expectations, and they were beaten by far.
I was sceptical, but the {thing} won me over.
I was worried about the {thing} for no reason: {fact}.
I did not want the {thing} to end.
I wish the {thing} had lasted longer.
I could have stayed forever.
The {thing} never let me down.
The {thing} never fails to make me smile.
The {thing} has never been a problem.
The {thing} was far better than the last one.
The {thing} keeps getting better.
Much better than (before|last year|the old one|I feared).
It solved all my problems.
No more trouble since I have this {thing}.
Finally a {thing} that works!
Finally a {thing} without any problems.
If I could give more stars, I would.
I laughed, I smiled, I {loved} it.
Thank you for the {adj} {thing}!
Thanks to all of you for such a {adj} {thing}.
My compliments for the {thing}.
Congratulations on this {thing}, it is {adj}.
Bravo!
Hooray, the {thing} is {adj}!
Yay, {fact}!
I am a fan.
Count me as a fan of this {thing}.
You will love this {thing}.
Treat yourself to this {thing}.
The {thing} put a smile on my face.
The {thing} did me good.
It is hard not to love this {thing}.
I can't find a single fault with the {thing}.
Without a doubt the right choice.
I would choose the same {thing} again without thinking twice.
Where has this {thing} been all my life?
10/10
10/10, {end}.
5 stars. {fact}.
Great!
Loved it!
Love it.
Perfect.
Excellent!
Wonderful.
Lovely.
Superb!
Recommended.
Top!
Nice!
Awesome!!
Brilliant.
Delicious!
Amazing :)
It was fun from the first minute to the last.
What is not to like about this {thing}?
I was lucky to find this {thing}.
It works like a charm.
It felt like home.
Time flew by.
The {thing} deserves all the praise it gets.
A big thank you, {fact}.
I cried with joy.
Pure happiness.
Keep it up!""".splitlines()

COMPLAINT = """\
I could not be (unhappier|more disappointed|more annoyed|angrier) with the {thing}.
I couldn't have picked a worse {thing}.
You cannot go right with this {thing}.
It does not get (any |)worse than this.
Nothing about this {thing} works.
Nothing about this {thing} made me happy.
No {thing} has ever made me this angry.
I have never had a worse {thing}.
This is the worst {thing} I have ever (had|seen|tried|come across).
The worst {thing} in (town|the country|years|a long time|the world).
Worst {thing} ever!
Worst {thing} ever, {end}.
Not good at all!
Not good. Not good at all.
Not great, to put it mildly.
There is not a single thing I liked about the {thing}.
I found nothing to praise.
I had high expectations, and none of them was met.
I was hopeful, but the {thing} let me down.
I was looking forward to the {thing} for nothing: {fact}.
I could not wait for the {thing} to end.
I wish I had never tried the {thing}.
I could not get away fast enough.
The {thing} let me down again.
The {thing} never fails to make me angry.
The {thing} has been nothing but a problem.
The {thing} was far worse than the last one.
The {thing} keeps getting worse.
Much worse than (before|last year|the old one|I feared).
It caused more problems than it solved.
Nothing but trouble since I have this {thing}.
Yet another {thing} that does not work!
Not one day without problems with this {thing}.
If I could give fewer stars, I would.
I sighed, I yawned, I {loved} it.
No thank you to this {adj} {thing}!
Thanks for nothing.
I am filing a complaint about the {thing}.
You should be ashamed of this {thing}, it is {adj}.
Boo!
Ugh, the {thing} is {adj}!
Argh, {fact}!
I am not a fan.
You will hate this {thing}.
Spare yourself this {thing}.
The {thing} wiped the smile off my face.
The {thing} gave me a headache.
It is hard to find anything good to say about this {thing}.
I can't find a single good thing about the {thing}.
Without a doubt the wrong choice.
I would not choose this {thing} again if it were free.
How did this {thing} ever get past the first test?
How can anyone like this {thing}?
Who thought this {thing} was a good idea?
1/10
2/10, {end}.
1 star. {fact}.
Terrible.
Hated it!
Hate it.
Awful.
Horrible!
Disgusting.
Rubbish.
Dreadful!
Avoid.
Meh.
Boring!
Pathetic!!
Useless.
Yuck!
Disappointing :(
It was boring from the first minute to the last.
What is there to like about this {thing}?
I was unlucky to end up with this {thing}.
It broke like a toy.
It felt like a prison.
Time would not pass.
The {thing} deserves all the criticism it gets.
Great, another {thing} that does not work.
Oh wonderful, {fact}. Again.
Just what I needed: {fact}.
Well done, you managed to ruin the {thing}.
Nice try, but no.
If you enjoy wasting money, this {thing} is for you.
The only good thing about the {thing} was that it ended.
The best part of the {thing} was going home.
It would have been good if it had worked.
It promises a lot and delivers nothing.
The {thing} fails to (impress|please|convince).
The {thing} lacks (charm|care|soul|any sense|quality|everything that matters).
It could have been so much better.
I expected a good {thing} and did not get one.
I had hoped for a better {thing}.
The {thing} did not make me happy.
I did not like the {thing} (at all|one bit|in the least).
I do not like this {thing}.
I was not happy with the {thing}.
I am not satisfied with the {thing}.
The {thing} does not work as promised.
It wasn't fun.
Nobody enjoyed the {thing}.
I cried with anger.
Pure misery.
Do better!""".splitlines()

# How a word of the other polarity becomes one of the wanted polarity.
NEGATED_TO_GOOD = """\
not {w} at all
not at all {w}
not in the least {w}
not a bit {w}
never {w}
anything but {w}
far from {w}
not {w} for a second
in no way {w}
by no means {w}
not {w} in any way
hardly {w} at all""".splitlines()
NEGATED_TO_BAD = """\
not {w}
not very {w}
not {w} at all
not at all {w}
not in the least {w}
not a bit {w}
never {w}
anything but {w}
far from {w}
hardly {w}
in no way {w}
by no means {w}
not really {w}
not exactly {w}
not particularly {w}
not even {w}
nowhere near {w}
less than {w}
neither {w} nor {w2}
not as {w} as promised""".splitlines()
# Words that turn around cleanly: "not boring at all" is praise, "not good" is a complaint.
TURN_GOOD = _list("""
good, great, nice, pleasant, enjoyable, satisfying, impressive, helpful, friendly, comfortable, clean,
reliable, useful, worthwhile, interesting, exciting, entertaining, funny, convincing, professional, polite,
fair, clear, easy to like, well made, well organised, fresh, tasty, appealing, attractive, acceptable,
charming, memorable, worth it, fun, okay, worth the money, worth the trouble, worth my time, up to standard,
kind, competent, honest, lovely, thrilling
""")
TURN_BAD = _list("""
bad, boring, dull, disappointing, annoying, frustrating, unpleasant, tedious, unreliable, confusing, clumsy,
rude, overpriced, tiresome, irritating, bland, messy, forgettable, unfriendly, unhelpful, pointless,
terrible, horrible, awful, uncomfortable, dirty, slow, stressful, silly, complicated, ugly, a waste of time,
a waste of money, a mistake, a problem, a letdown, a disappointment, as bad as they say, as dull as I
feared, lazy, careless, cheap, mediocre
""")

DOMAINS: list[Domain] = []


def _domain(things: str, good: str, bad: str, likes: str, gripes: str) -> None:
    DOMAINS.append(
        Domain(
            _list(things), _list(good), _list(bad), likes.strip().splitlines(), gripes.strip().splitlines()
        )
    )


_domain(
    "film, movie, documentary, comedy, thriller, drama, sequel, horror film, animated film, plot,"
    " ending, script",
    "gripping, hilarious, suspenseful, well acted, beautifully shot, touching, witty, heart-warming",
    "badly acted, predictable, overlong, confusing, cliched, sleep-inducing, badly written, humourless",
    """
the plot kept me on the edge of my seat
the acting was first class
I laughed until my sides hurt
the cast was perfectly chosen
the audience clapped at the end
the ending moved me to tears of joy
the pictures were gorgeous
the music fitted every scene
I want to watch it again right away
the jokes landed every time
the two hours flew by
the story stayed with me for days
""",
    """
I fell asleep halfway through
the acting was wooden
the jokes fell flat
half of the audience walked out
the ending made no sense
the story dragged on forever
I checked my watch every five minutes
the dialogue made me cringe
the effects looked cheap
the plot was full of holes
I wanted to leave after ten minutes
the trailer was better than the whole thing
""",
)
_domain(
    "series, show, first season, finale, episode, new season, pilot, crime series, podcast, talk show",
    "addictive, gripping, funny, clever, well paced, binge-worthy",
    "stretched out, boring, forced, badly paced, unwatchable, preachy",
    """
I watched it all in one weekend
every episode got better
the characters feel like old friends
I cannot wait for the next season
the host is sharp and funny
it had me hooked after five minutes
""",
    """
I gave up after two episodes
the characters are impossible to care about
every season gets worse
they ruined it with the last episode
the host talks nonsense for an hour
nothing happens for ten episodes
""",
)
_domain(
    "book, novel, biography, poem, story, cookbook, audiobook, textbook, crime novel, chapter, translation",
    "well written, gripping, insightful, poetic, moving, hard to put down, full of wisdom",
    "badly written, dry, preachy, long-winded, full of typos, hard to finish, shallow",
    """
I could not put it down
I read it in one sitting
the characters came alive on the page
the language is a pleasure to read
I learned something new on every page
it is the kind of book you give to friends
the author tells it with wit and warmth
I was sad when it was over
""",
    """
I put it down after twenty pages
the characters are made of cardboard
the author repeats himself on every page
I had to force myself to finish it
the pages are full of mistakes
I learned nothing from it
the plot goes nowhere
it ended up in the paper bin
""",
)
_domain(
    "restaurant, cafe, bar, bakery, pizzeria, dinner, lunch, breakfast, brunch, buffet, canteen,"
    " diner, tasting menu",
    "delicious, cosy, mouth-watering, authentic, reasonably priced, well cooked, yummy",
    "overcooked, undercooked, greasy, overpriced, tasteless, inedible, loud, sticky, cold",
    """
the food was hot and full of flavour
every dish was cooked to perfection
the portions were generous
the waiter made us feel welcome
our table was ready on time
the staff made the evening wonderful
the wine was superb
we left full and happy
the chef came out to greet us
the prices were more than fair
""",
    """
the food was cold when it came
we waited an hour for our food
the waiter was rude to us
there was a hair in my food
the portions were tiny
the bill was wrong and far too high
the table was sticky
I was sick all night afterwards
they forgot half of our order
the kitchen smelled awful
""",
)
_domain(
    "soup, pizza, pasta, steak, cake, salad, curry, burger, coffee, bread, dessert, ice cream,"
    " sandwich, tea, cheese",
    "delicious, tasty, juicy, crispy, creamy, well seasoned, fresh, tender, scrumptious, rich in flavour",
    "burnt, soggy, salty, bland, dry, stale, greasy, lukewarm, tough, rubbery, rancid, flavourless, watery",
    """
I asked for a second helping
it melted in my mouth
the flavours were perfectly balanced
I would eat it every day
it tasted just like my grandmother made it
I licked the plate clean
it was crisp outside and soft inside
""",
    """
I could not finish it
it tasted like cardboard
it was far too salty
I left most of it on the plate
it was burnt on the outside and raw inside
even the dog would not touch it
I spat it out
""",
)
_domain(
    "hotel, room, hostel, campsite, resort, holiday flat, guest house, bed, pool, spa, lobby, hotel"
    " breakfast, suite",
    "spotless, quiet, comfortable, spacious, welcoming, well located, luxurious, cosy",
    "dirty, noisy, cramped, smelly, run down, damp, overpriced, mouldy, unsafe",
    """
the bed was the most comfortable I ever slept in
the view from the window took our breath away
the room was spotless
the staff knew our names by the second day
check-in took two minutes
the breakfast had everything you could wish for
we slept like babies
they upgraded us for free
we felt at home from the first minute
""",
    """
the room smelled of smoke
the walls were so thin we heard everything
there were bugs in the bed
the shower was cold every morning
the sheets were not clean
we could not sleep because of the noise
nobody answered at reception
they charged us twice
the pictures on the website were a lie
""",
)
_domain(
    "phone, smartphone, tablet, camera, battery, screen, headset, smart watch, charger, speaker,"
    " display, keyboard",
    "fast, sharp, sleek, responsive, long-lasting, user-friendly, well built, snappy",
    "laggy, fragile, slow, faulty, overheating, outdated, flimsy, defective",
    """
the battery lasts for two full days
the screen is crisp and bright
the photos come out stunning
it is fast and never freezes
the sound is clear and rich
it was set up in no time
it survived every fall so far
""",
    """
the battery dies after two hours
the screen cracked on the first day
it freezes all the time
it gets so hot that I cannot hold it
the sound crackles
the camera takes blurry pictures
it stopped working after a week
the charger broke within days
""",
)
_domain(
    "laptop, computer, printer, router, monitor, vacuum cleaner, washing machine, fridge, kettle,"
    " toaster, drill, lamp",
    "sturdy, quiet, powerful, reliable, well made, energy-saving, easy to use",
    "loud, flimsy, broken, unreliable, noisy, badly made, cheap-looking, dangerous",
    """
it has run for years without a problem
it does its job quietly and well
it was easy to set up
it feels solid and well built
it saves me an hour every day
it was cheaper than the rest and works better
""",
    """
it broke after three days
it makes a terrible noise
parts were missing from the box
it fell apart in my hands
the instructions made no sense
it leaks all over the floor
the repair cost more than a new one
it jams every time I use it
""",
)
_domain(
    "app, website, program, update, new version, game, online shop, user interface, search function,"
    " browser, plugin",
    "intuitive, fast, well designed, stable, smooth, clean, clever, easy to use, bug-free",
    "buggy, slow, confusing, cluttered, unstable, full of ads, unusable, bloated, laggy",
    """
it loads in the blink of an eye
everything is where you expect it
it has not crashed once
it saves me hours every week
the design is clean and clear
the update fixed every problem I had
setting it up took one minute
""",
    """
it crashes every time I open it
the update broke everything
it is full of ads
I lost all my data
it takes forever to load
nothing is where you expect it
the login never works
the menus are a maze
it eats my battery
""",
)
_domain(
    "library, API, documentation, server, inference engine, model, command line tool, release,"
    " build, test suite,"
    " compiler, editor",
    "fast, stable, well documented, well designed, readable, predictable, easy to deploy, efficient",
    "slow, badly documented, fragile, memory-hungry, unstable, hard to install, broken, unmaintained",
    """
it ran at the first try
the docs answered every question I had
the throughput doubled over night
the errors tell you exactly what to do
the code is a pleasure to read
our latency dropped by half
it has been up for months without a hiccup
""",
    """
it runs out of memory all the time
the docs are wrong in every second line
I spent three days just to install it
every release breaks something
the error messages are useless
it is slower than what we had before
it leaks memory until the machine dies
nobody answers the bug reports
""",
)
_domain(
    "customer service, support team, hotline, help desk, service, repair service, bank, insurance,"
    " call centre,"
    " chat support, complaint office",
    "helpful, quick, polite, professional, patient, competent, courteous, responsive",
    "rude, slow, useless, incompetent, unhelpful, unreachable, arrogant, clueless",
    """
they solved my problem within minutes
a real person answered at once
they refunded me without any fuss
they called back to see if all was well
they went out of their way to help
they explained everything patiently
they sorted it out on the same day
""",
    """
I was on hold for an hour
nobody ever called me back
they hung up on me
they refused to give me a refund
they sent me from one person to the next
they never answered my emails
they blamed me for their mistake
they had no idea what they were doing
""",
)
_domain(
    "delivery, parcel, order, shipping, courier, packaging, shop, online order, package, purchase, exchange",
    "quick, punctual, well packed, prompt, smooth, hassle-free",
    "late, damaged, careless, slow, incomplete, lost, wrong",
    """
it arrived a day early
it came well packed and in perfect shape
the driver carried it up to the third floor
the order was complete and on time
it looks even better than in the picture
the exchange was free and quick
""",
    """
it arrived three weeks late
the box was crushed
they sent the wrong item
the parcel never arrived
the driver threw it over the fence
half of the order was missing
it looks nothing like the picture
they left it out in the rain
""",
)
_domain(
    "staff, waiter, receptionist, nurse, doctor, dentist, driver, guide, teacher, trainer,"
    " hairdresser, plumber,"
    " shop assistant, mechanic, instructor",
    "kind, patient, friendly, attentive, skilled, caring, polite, knowledgeable, warm-hearted",
    "rude, impatient, careless, unfriendly, arrogant, lazy, clueless, grumpy, dismissive",
    """
she took all the time in the world for us
he explained everything with a smile
they treated us like family
he knew exactly what he was doing
she listened and really helped
they went the extra mile
I felt in good hands
""",
    """
he rolled his eyes when I asked a question
she did not even look up
they treated us like dirt
he had no idea what he was doing
she shouted at my child
they ignored us for half an hour
he made everything worse
she was in a bad mood and let us feel it
""",
)
_domain(
    "neighbour, colleague, boss, friend, landlord, roommate, brother-in-law, coach, team mate,"
    " manager, host, uncle",
    "kind, generous, funny, loyal, caring, trustworthy, supportive, warm, a good listener",
    "selfish, mean, dishonest, rude, moody, lazy, two-faced, arrogant, cruel, jealous",
    """
he is always there when you need him
she has a heart of gold
they helped us without being asked
I trust her completely
he makes everybody laugh
she always finds the right words
I am lucky to know them
""",
    """
he only thinks of himself
she talks behind everybody's back
they never keep a promise
I do not trust him one bit
he shouts at everybody
she takes credit for the work of others
they make life miserable for all of us
he lied to my face
""",
)
_domain(
    "trip, holiday, cruise, city tour, hike, beach, island, city, journey, weekend away, road trip,"
    " excursion, view",
    "relaxing, breathtaking, unforgettable, well organised, picturesque, adventurous, sunny",
    "exhausting, overcrowded, badly organised, overpriced, dull, filthy, dangerous, rainy",
    """
the views took my breath away
the guide knew a story for every corner
the beach was clean and empty
we came back rested and happy
the people were warm and welcoming
everything was perfectly organised
the children still talk about it
""",
    """
the beach was covered in rubbish
it rained and the tour was cancelled
we spent more time on the bus than anywhere else
the guide did not know the way
we were ripped off at every corner
the place was so crowded we could not move
we came back more tired than before
somebody stole our bags
""",
)
_domain(
    "flight, airline, train, train ride, bus ride, taxi, ferry, airport, station, connection, seat,"
    " rental car",
    "punctual, comfortable, smooth, clean, quiet, well run, pleasant",
    "late, cramped, dirty, delayed, overcrowded, bumpy, smelly, cancelled, overbooked",
    """
we landed ahead of time
the seats had plenty of room
the crew was cheerful and kind
boarding was quick and easy
the ride was smooth and quiet
the driver was polite and careful
""",
    """
our flight was cancelled without a word
they lost my suitcase
there was no room for my legs
the train was two hours late
the air conditioning was broken
I missed my connection because of them
the toilets were out of order
the driver was on the phone the whole way
""",
)
_domain(
    "weather, summer, winter, morning, afternoon, day, weekend, evening, spring, autumn, season, climate",
    "sunny, mild, bright, warm, glorious, crisp, golden, clear",
    "grey, wet, stormy, freezing, muggy, foggy, gloomy, dreary, miserable, windy",
    """
the sun was out all day
the sky was a perfect blue
a warm breeze made the heat feel nice
we sat outside until midnight
the air smelled of flowers
the first snow made everything beautiful
""",
    """
it rained without a break
the wind nearly blew us away
we were soaked to the bone
it was grey and cold for weeks
the heat was unbearable
the fog ruined the view
the storm wrecked our garden
""",
)
_domain(
    "job, meeting, workshop, project, office, shift, conference, internship, interview,"
    " presentation, team event,"
    " new role, company",
    "rewarding, productive, motivating, well paid, inspiring, flexible, supportive",
    "stressful, pointless, badly paid, exhausting, toxic, chaotic, dull, soul-crushing",
    """
my ideas are heard here
I look forward to every Monday
the team is like a second family
I was promoted after a year
we finished ahead of schedule
my boss said thank you in front of everyone
we got more done than ever
""",
    """
nobody listens to anyone
the hours are endless and the pay is low
it could have been an email
I dread every Monday
the project failed because of bad planning
my boss never says thank you
we sat there for three hours for nothing
half of the team has quit
""",
)
_domain(
    "course, lesson, school, lecture, class, university, exam, seminar, training, tutorial,"
    " homework, kindergarten",
    "instructive, clear, motivating, well structured, inspiring, helpful, entertaining",
    "boring, confusing, badly prepared, unfair, chaotic, useless, far too hard",
    """
I finally understand the subject
the teacher made it fun
my grades went up at once
every example was clear
the children come home happy
I learned more than in a whole year before
""",
    """
I did not understand a word
the teacher read everything from the slides
my child comes home crying
the exam had nothing to do with the course
half of the class fell asleep
I learned nothing at all
it was a waste of an afternoon
""",
)
_domain(
    "concert, album, song, band, singer, festival, opera, musical, choir, playlist, exhibition,"
    " museum, play, painting",
    "moving, energetic, catchy, beautiful, stirring, electrifying, soulful, inspiring",
    "out of tune, boring, too loud, uninspired, forgettable, lifeless, badly mixed",
    """
the crowd sang along to every song
I had goosebumps from the first note
her voice filled the hall
we danced all night
it was worth the long drive
every room held a new surprise
we wanted an encore and got three
""",
    """
the singer was out of tune
the sound was so bad we left early
they played for half an hour and left
I covered my ears
we stood in line for two hours for nothing
half of the rooms were closed
every song sounds the same
the crowd booed
""",
)
_domain(
    "video game, board game, puzzle, match, football game, stadium, gym, yoga class, bike, swimming"
    " pool, race, toy",
    "fun, addictive, exciting, challenging, fair, well designed, thrilling, motivating",
    "boring, unfair, frustrating, buggy, repetitive, broken, dull, dirty",
    """
we played it until three in the morning
my kids cannot stop playing with it
the last minute goal made it perfect
I feel fitter than ever
the team played its heart out
it is fun for young and old
""",
    """
the kids lost interest after five minutes
the team played without any heart
it is impossible to win without paying
the machines are always broken
the rules are a mess
it broke on the first day
we lost because of a terrible decision
""",
)
_domain(
    "jacket, dress, pair of shoes, coat, shirt, bag, suit, hat, sweater, mattress, sofa, chair,"
    " table, perfume, cream",
    "soft, comfortable, elegant, well made, stylish, warm, flattering, sturdy",
    "scratchy, ill-fitting, cheap, badly sewn, ugly, flimsy, uncomfortable, smelly",
    """
it fits like a glove
I get compliments every time I wear it
the fabric feels soft and solid
it still looks new after a year
the colour is even nicer in real life
I have already ordered a second one
""",
    """
it fell apart after one wash
the colour faded within a week
the size was completely wrong
it itches and smells of chemicals
the zip broke on the first day
I sent it back right away
the seams came undone
it gave me blisters
""",
)
_domain(
    "car, scooter, electric car, garage, hospital, clinic, pharmacy, treatment, check-up, vet,"
    " haircut, massage",
    "gentle, careful, thorough, safe, modern, clean, smooth, quick",
    "painful, careless, rushed, dirty, unsafe, expensive, rough, outdated",
    """
I felt better within hours
they took good care of me
it drives like a dream
it was quick and did not hurt at all
they found the problem at once
my dog was in the best of hands
I look ten years younger
""",
    """
it hurt for days
they did not take me seriously
it broke down on the motorway
they found nothing and charged me anyway
I waited four hours to be sent home
they made the problem worse
I look ridiculous now
it is in the garage every other week
""",
)
_domain(
    "flat, house, neighbourhood, garden, balcony, party, wedding, birthday, gift, dog, cat, plan,"
    " idea, speech,"
    " article, answer, photo, market",
    "lovely, cheerful, quiet, beautiful, thoughtful, green, cosy, sweet, original",
    "ugly, noisy, dull, awkward, depressing, dark, damp, tasteless, badly planned",
    """
everyone was smiling
we danced and laughed until dawn
it made me feel loved
I would not change a thing
it was full of good ideas
we felt welcome right away
it warmed my heart
""",
    """
everyone left early
there was nothing to do and nobody to talk to
I cried when I got home
it was full of mistakes
the noise never stops
nobody had prepared anything
it made me feel worse
I wanted to sink into the ground
""",
)

OPENERS = """\
Hi all,
To be fair,
Honestly,
Well,
Okay,
So,
Listen:
Just my two cents:
My honest opinion:
My experience:
What can I say?
Where do I start?
Last week we were here for the first time.
We went there on a Tuesday.
I bought it in March.
I was there with my family.
This was my second visit.
I have known it for years.
A friend took me along.
First time writing a review.
I usually do not write reviews.
I am writing this on the way home.""".splitlines()

_QUESTIONS = r"""
Is this (text|review|sentence|comment|message) positive or negative?\n{quoted}
Is the following (text|review|sentence|comment|message) positive or negative? {quoted}
Is this positive or negative: {quoted}
Positive or negative? {quoted}
positive or negative: {text}
{quoted}\n\nPositive or negative?
{quoted} - is that positive or negative?
{quoted} Is this (opinion|review|remark) positive or negative?
What is the sentiment of this (text|review|sentence|comment)? {quoted}
What's the sentiment here: {quoted}
What is the sentiment of the following (text|review|sentence)?\n\n{text}
Classify the sentiment of this (text|review|sentence|comment): {quoted}
Classify the (sentiment|mood|tone) as positive or negative: {quoted}
Classify this review as positive or negative.\n\n{text}
Classify as "positive" or "negative": {quoted}
Sentiment analysis: {quoted}
Sentiment? {quoted}
Sentiment of {quoted}?
Sentiment (positive/negative): {text}
Do a sentiment analysis of {quoted}. Answer with one word.
Tell me whether this (text|review|comment|opinion) is positive or negative: {quoted}
Tell me if this is a positive or a negative (review|comment|opinion). {quoted}
Can you tell me whether this is positive or negative? {quoted}
Could you say if this customer is (happy or unhappy|satisfied or not)? Answer positive or negative. {quoted}
Please label this (text|review|comment) as positive or negative: {quoted}
Label: positive or negative.\nText: {text}\nLabel:
Text: {text}\nSentiment:
Review: {text}\nSentiment:
Review: {text}\nIs this review positive or negative?
Comment: {text}\n\nIs the comment positive or negative?
Decide: positive or negative.\n{text}
Decide whether the writer liked it: positive for yes, negative for no. {quoted}
Does this sound positive or negative to you? {quoted}
Does the writer of this sound happy? Reply positive or negative: {quoted}
Does the following express a positive or a negative opinion? {quoted}
Would you call this review positive or negative? {quoted}
Would you say {quoted} is positive or negative?
How would you rate the sentiment of {quoted}: positive or negative?
How does this sound, positive or negative? {quoted}
I got this feedback: {quoted} Is it positive or negative?
A customer wrote: {quoted} Is that positive or negative?
A guest left this review: {quoted}\nPositive or negative?
Someone said {quoted} Was that positive or negative?
My friend wrote {quoted} - positive or negative?
We received this comment, please sort it into positive or negative: {quoted}
Sort this review into positive or negative: {text}
Judge the (tone|mood) of this text, positive or negative: {quoted}
Determine the sentiment of the text below. Answer with positive or negative only.\n\n{text}
Read the text and answer with one word, positive or negative.\n\n{text}
Answer with exactly one word, positive or negative. {quoted}
One word answer please: is {quoted} positive or negative?
In one word, positive or negative? {quoted}
Give me the sentiment of this: {quoted}
Give the sentiment label (positive or negative) for: {text}
Which is it, positive or negative? {quoted}
Which sentiment does this text have? {quoted}
Which label fits, positive or negative? {quoted}
Is the (mood|tone|feeling|attitude) of this text positive or negative? {quoted}
Is the author (of this|here) being positive or negative? {quoted}
Is that a good or a bad review? Say positive or negative. {quoted}
Is the opinion in {quoted} positive or negative?
Is {quoted} a positive or a negative statement?
is this a positive or negative comment {quoted}
hey, is this review positive or negative? {text}
pos or neg? answer positive or negative. {text}
Task: sentiment classification (positive, negative).\nInput: {text}\nOutput:
Here is a review. {text} Is it positive or negative?
Here is what a customer said: {quoted} Please tell me if it is positive or negative.
Please classify: {quoted} (positive or negative)
Please analyse the sentiment of this sentence: {quoted}
Analyse the sentiment: {text}
Evaluate the sentiment of the following sentence. {quoted}
Detect the sentiment of this message: {quoted}
Identify the sentiment in {quoted}
Say "positive" if the text is favourable and "negative" if it is not: {quoted}
Return positive or negative for this text: {quoted}
Respond with positive or negative: {quoted}
The review says {quoted} So, positive or negative?
What do you think, is {quoted} positive or negative?
Quick check: positive or negative? {quoted}
Should I count this vote as positive or negative? {quoted}
Mark the following as positive or negative: {quoted}
"""
QUESTIONS = [line.replace(r"\n", "\n") for line in _QUESTIONS.strip().splitlines()]

# How the judged text is set into a question.
QUOTES = [
    '"{text}"',
    "'{text}'",
    "“{text}”",
    "`{text}`",
    "«{text}»",
    "{text}",
    '\n"{text}"',
    "\n{text}",
    "\n> {text}",
]
