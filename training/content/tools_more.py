"""More ways to ask for the tools of training: other words, other syntax, the same slots and conventions."""

from __future__ import annotations

from training.content.tool_kinds import lines


def _requests(text: str) -> list[str]:
    return list(lines(text))


REQUESTS: dict[str, list[str]] = {
    "weather_now": _requests("""
        I'm stepping out of the station in {city} now, is it wet outside?
        Sunny or grey in {city} at this minute?
        any clouds over {city} today
        would i freeze in {city} without a jacket now
        ~see how cold it currently is in {city} please
        ~find out online whether the sun is shining in {city}
        How many degrees do they have in {city} just now? Use {unit}.
        temp {city} {unit}
        Could I please have the present conditions for {city}, ideally in {unit}?
        I wonder if people in {city} are sweating today.
        Standing in {city} soon, sandals or boots?
        outside in {city} rn: hot? cold?
        Is there wind in {city} currently?
        I'd love to know what the thermometer in {city} says.
        ~report the conditions in {city} in {unit}, thanks
        {city} now, foggy or clear
        Is it pouring down over in {city} already?
    """),
    "forecast": _requests("""
        Do they expect storms in {city} {day}?
        We get married outdoors in {city} {day}, will it stay dry?
        {city} {day} forecast pls
        ~predict the weather for {city} {day}
        I am packing for {city}, what sort of weather is coming {day}?
        outlook for {day} over {city}
        Any chance of sunshine {day} in {city}?
        will i need sunscreen in {city} {day}
        Can we have a barbecue {day} in {city} or will we get soaked?
        How cold is {city} supposed to be {day}?
        I would appreciate a look ahead at the weather in {city} {day}.
        what are they predicting for {city} {day}
        My hike near {city} is {day}; please see if rain is coming.
        ~find out how the weather in {city} is going to turn out {day}
        Thunder in {city} {day}, yes or no?
        Temperatures expected for {city} {day}?
    """),
    "air_quality": _requests("""
        Can my kids play outside in {city}, or is there too much smoke?
        Is it healthy to breathe in {city} today?
        {city} aqi now
        particulate levels in {city} please
        Do I need a mask against the dirty air in {city}?
        ~measure how clean the air of {city} is now
        ~tell me if {city} has a smog problem today
        I can hardly breathe here in {city}. How bad is the air?
        Would you say the air over {city} is fresh or foul today?
        fine dust in {city}, how much
        My lungs are weak and I'm going to {city}. Is the air safe?
        How much pollution do they have in {city} currently?
        pollution {city} today pls
        Could I open the windows in {city}, or are the fumes too strong?
        I'd like some numbers on air pollution for {city}.
        is the air in {city} any good
    """),
    "sunrise": _requests("""
        How early does the sun come up in {city}?
        dawn and dusk in {city} please
        When is nightfall in {city} on {date}?
        ~find the hour of sundown in {city} for {date}
        I'd like to watch the sun go down in {city}. At what hour?
        {city} {date} sunrise time
        From when until when is there daylight in {city} on {date}?
        until when can we sit in the sun in {city}
        At what hour is first light in {city}?
        ~check how long the daylight lasts in {city} today
        sundown in {city} on {date}, when?
        We want a romantic evening in {city}, when will the sun disappear?
        day length {city}
        My flight leaves {city} on {date}; will it be dark by dinner? Give me sunset.
        By when must I be up to see the dawn in {city}?
        how many hours of sun on {date} in {city}
    """),
    "time_in_city": _requests("""
        Would I wake my colleague in {city} if I rang now?
        clock in {city} please
        ~give me the hour in {city} now
        is it night or day over in {city}
        My brother moved to {city}, is it too late to ring him?
        {city} local time
        I keep forgetting the time zone, how late is it for {city} folks?
        Is it past midnight in {city} yet?
        Would you kindly let me know the current hour in {city}?
        what hour do they have in {city} at the moment
        are the offices in {city} open at this hour, i.e. what time is it there
        ~find out what the clocks in {city} show now
        I need today's exact time for {city}.
        Is it lunchtime in {city}?
        time now, {city}
    """),
    "convert_time": _requests("""
        {time} over in {origin}, how does that translate for {target}?
        ~translate {time} from {origin} hours to {target} hours
        our {origin} office meets at {time}. what does the clock say in {target} then
        The show airs at {time} in {origin}; I live in {target}, so when should I tune in?
        If somebody in {origin} has lunch at {time}, what's the hour in {target}?
        time zones: {time}, {origin} -> {target}
        When {origin} clocks strike {time}, what do the clocks of {target} show?
        ~shift {time} {origin} local time over to {target} please
        I said {time}, but that was {origin} time. Friends in {target} want theirs.
        Kickoff at {time} in {origin}. For fans in {target} that is when exactly?
        what would {time} in {origin} be in {target}
        Please figure out the {target} equivalent of {time} in {origin}.
        is {time} in {origin} still working hours over in {target}? what time is it then
        {target} time for {time} {origin} time?
        My plane takes off from {origin} at {time}; what will my mother's clock in {target} read?
        I need {time} {origin} time expressed in {target} time.
    """),
    "days_until": _requests("""
        How many more sleeps before {date}?
        the wedding is {date}, how many days to go
        ~work out the number of days between now and {date}
        days till {date}
        I can't wait for {date}! How long now?
        How much time do I have left before {date}, in days?
        Is {date} still a long way off? Days please.
        from today to {date} = how many days
        My deadline is {date}; count what remains please.
        ~figure out how many days we still have to wait for {date}
        We move on {date}. I'd like to know the days remaining.
        {date} countdown
        How soon is {date}?
        Vacation begins {date}, number of days left?
        Would you be so nice and count down to {date} for me?
        how long must i wait until {date} comes
    """),
    "weekday_of": _requests("""
        {date} - weekday?
        Which day will {date} be, a Tuesday or what?
        My party is {date}; is that during the week or at the weekend?
        ~look up in the calendar what weekday {date} is
        is {date} a workday
        I need to know if {date} lands on a Sunday.
        what sort of day is {date}, monday, tuesday...?
        They got married on {date}. Was it a Saturday?
        Name the weekday for {date}, please.
        what weekday was {date} again
        The letter is dated {date}. Which day of the week would that be?
        Would {date} happen to be a Friday?
        day of week {date}
        On which day of the week does {date} come this time?
    """),
    "calculator": _requests("""
        ~solve {expression}
        ~crunch {expression} for me
        Sum please: {expression}
        {expression} equals what?
        my homework says {expression}, what is the answer
        I'm bad with numbers. {expression}?
        calc {expression}
        Would you run {expression} through a calculator now?
        How much do I get for {expression}?
        ~do the math on {expression}
        {expression} please
        Let the machine figure out {expression}.
        the answer to {expression} would be nice
        If I type {expression} into a calculator, what comes out?
        Work this out exactly: {expression}
        I keep getting different results for {expression}. Which one is right?
    """),
    "unit_convert": _requests("""
        How does {amount} {source} translate to {target}?
        My scale shows {amount} {source} and I need {target}.
        ~change {amount} {source} over to {target} please
        {amount} {source} -> {target}
        {amount} {source}, how many {target} now?
        what do {amount} {source} make when measured in {target}
        I never understood {source}. What are {amount} {source} if you use {target}?
        The label states {amount} {source}; what would that be in {target}?
        Would {amount} {source} be a lot in {target}? How much exactly?
        units: {amount} {source} into {target}
        ~figure out how many {target} there are in {amount} {source}
        Grandma writes {amount} {source}, my tools only know {target}.
        I'd like some help turning {amount} {source} to {target}.
        give me {target} instead of {source}: {amount} {source}
        Measured in {target}, what's {amount} {source}?
        in {target}, {amount} {source} would be?
    """),
    "tip": _requests("""
        We paid {bill} for lunch and the waiter was great, so {percent}% extra. How much?
        gratuity {percent}% bill {bill}
        ~work out the gratuity on {bill} at {percent} percent
        ~divide {bill} plus {percent}% gratuity among {people} of us
        If I give the waitress {percent} percent on top of {bill}, what do I hand over?
        the check says {bill}, we're {people}, tipping {percent}%
        How much should I leave on the table for {bill} at {percent}%?
        Restaurant total {bill}, service was fine, say {percent} percent tip please.
        {people} diners, {bill} on the check, {percent}% for the waiter: each owes?
        what would {percent}% for the waiter be on {bill}
        Our check came to {bill} today; I'd give {percent} percent. Sum?
        ~add a {percent} percent gratuity to our check of {bill}
        I want to be generous: {percent}% on {bill}. What tip is that?
        share {bill} between {people} people, tip {percent}% included
        Kindly figure the tip for me: check {bill}, rate {percent} percent.
        is {percent}% of {bill} a decent tip? how much is it
    """),
    "random_number": _requests("""
        Surprise me with a number, at least {low} and at most {high}.
        lottery number from {low} to {high}
        ~generate some integer between {low} and {high}
        any integer, {low} up to {high}
        Who wins the raffle? Tickets run from {low} to {high}, draw one.
        rand {low} {high}
        I can't choose: pick me something from {low} through {high}.
        Think of a number, not below {low} and not above {high}.
        ~randomly select a number in {low}..{high}
        minimum {low}, maximum {high}, a random number please
        Would you name a number between {low} and {high}, no matter which?
        i want a random page, the book goes from {low} to {high}
        Let chance decide on a figure between {low} and {high}.
        Spin the wheel: {low} to {high}.
        ~come up with an arbitrary number ranging from {low} to {high}
    """),
    "roll_dice": _requests("""
        Shake {count} dice and tell me what comes up.
        {count}d{sides}
        My turn in the board game, {count} dice please!
        i want to gamble, throw {count} dice now
        ~toss {count} dice on the table
        Rolling {count} dice, what do I get?
        ~cast {count} dice of {sides} sides
        dice x{count}
        The dungeon master wants {count} dice, each with {sides} faces.
        Would you kindly roll the dice for us? {count} of them.
        For my attack I need {count} dice with {sides} faces.
        let's see some luck: {count} dice
        What do {count} {sides}-sided dice show?
        I'd like {count} dice thrown please.
        how many eyes do i get with {count} dice
        attack roll, {count} dice, {sides} sides
    """),
    "flip_coin": _requests("""
        Head or tail, you choose with a coin.
        ~spin a coin please
        Who goes first? Flip for it.
        I can't make up my mind, so throw a coin.
        coin flip now
        My brother takes heads. Go ahead, toss!
        could a coin settle who does the dishes
        Do we have a coin? Toss it!
        tails i win, heads you win, go
        Let's leave it to chance: coin in the air!
        Please be so kind as to flip some coin.
        50/50 decision, use a coin
        ~let a coin settle our argument
        Will it be heads today?
        Let's do a quick toss for the kickoff.
    """),
    "loan_payment": _requests("""
        What instalment do I face for {amount} at {rate}% during {years} years?
        ~figure out my monthly instalment: {amount} borrowed, {rate} percent, {years} years
        credit {amount}, {rate}%, {years}y, per month?
        can i afford {amount} of debt at {rate}% if i pay it off in {years} years? per month i mean
        Paying back {amount} within {years} years at {rate} percent means how much a month?
        ~estimate the mortgage instalments on {amount} with {rate}% interest and {years} years to run
        A credit of {amount} running {years} years, interest {rate}%: what's due each month?
        how much monthly for a {amount} car credit at {rate} percent over {years} years
        {years} years, {rate}%, {amount}: mortgage instalment?
        I'd repay {amount} over {years} years at {rate}% interest. What would be my monthly burden?
        What would lending me {amount} at {rate} percent for {years} years cost me every month?
        Each month I'd pay what, if I borrowed {amount} at {rate}% and had {years} years?
        A house with {amount} of credit, {rate}% for {years} years: what do I pay monthly?
        Interest {rate}%, sum {amount}, term {years} years. Monthly instalment please.
        I owe the bank {amount} for {years} years at {rate} percent; the monthly sum?
    """),
    "currency": _requests("""
        I've got {amount} {source} in my purse, what would a bank give me in {target}?
        exchange rate: {amount} {source} -> {target}
        ~swap {amount} {source} for {target}
        ~see how many {target} I'd get for {amount} {source} today
        {amount} {source}, in {target} please
        My salary is {amount} {source}; put that in {target}.
        what's {amount} {source} when paid in {target}
        Is {amount} {source} a lot of money? I only know {target}.
        A shop abroad wants {amount} {source}. In {target} that would be?
        {target} for {amount} {source}?
        Money question: {amount} {source} expressed in {target} now.
        how much {target} is {amount} {source} at the moment
        I'd like to trade my {amount} {source} for some {target}. What comes out?
        fx {amount} {source} {target}
        The ticket was {amount} {source}. Kindly give me the sum in {target}.
        Turning {amount} {source} into {target} gets me what?
    """),
    "stock_price": _requests("""
        {ticker} on the stock market now?
        what's {ticker} at
        Should I sell my {ticker}? Show me the price first.
        ~see where {ticker} stands on the exchange today
        latest {ticker} quote please
        How much would I pay for some {ticker} stock?
        Has {ticker} gone up since this morning? I need the quote.
        shares of {ticker}: price?
        I'm thinking of investing in {ticker}. What does the stock cost?
        ~fetch the market price for {ticker} please
        stock {ticker}
        At what price did {ticker} last trade?
        ticker {ticker} now
        How did the market treat {ticker} today?
        I'd like to know what a {ticker} share goes for.
        What's the going rate of {ticker} stock?
    """),
    "crypto_price": _requests("""
        How much is my {coin} worth now?
        crypto: {coin}
        is it time to sell {coin}? price please
        ~quote {coin} in {currency} for me
        ~find out what a single {coin} trades for today
        How high has {coin} climbed?
        What's {coin} at, in {currency}?
        i'd like to buy some {coin}, how expensive is it in {currency}
        Has {coin} crashed again? Current value please.
        {coin} to {currency} rate
        My wallet holds one {coin}. What value is that in {currency}?
        market value of {coin} today
        What do people pay for a {coin} these days?
        I need the {currency} price of {coin} now.
        Value of one {coin} token please
    """),
    "account_balance": _requests("""
        Am I broke? Look at {account}.
        how full is my {account} account
        ~see what's on my {account} account
        {account} balance now
        What sum is sitting on the {account} account today?
        Is there enough cash on {account} for the rent?
        I'd like to see my {account} funds please.
        Did my salary arrive? What's on {account} now?
        money left on {account}?
        ~tell me the state of our {account} account
        bank: {account}, how much
        Can you see how much we have on the {account} account?
        How rich am I in {account}?
        What remains on my {account} account after the shopping?
        I have no idea how much cash my {account} account still has.
    """),
    "transfer_money": _requests("""
        {name} lent me money, so pay back {amount} now.
        ~remit {amount} to {name}
        ~move {amount} over to {name}, reference "{note}"
        {amount} to {name} pls
        Give {name} the {amount} I promised.
        I lost a bet against {name}; send over {amount}.
        bank transfer: {name}, {amount}, "{note}"
        Let {name} have {amount} from my account today.
        could some {amount} go to {name} please
        Rent is due: {amount} goes to {name}.
        My share of the dinner is {amount}, get it to {name}.
        I'd like {amount} to land on the account of {name}.
        send cash to {name}: {amount}
        How about sending {name} {amount} with the words "{note}"?
        Please arrange a bank transfer of {amount} in favor of {name}.
        settle my debt with {name}, it's {amount}
    """),
    "transactions": _requests("""
        What did I spend money on lately? {count} entries are enough.
        my {count} newest bookings please
        ~print my {count} latest account movements
        account history, {count} lines
        Where did my money go? Show {count} payments.
        {count} recent transactions
        ~let me see the past {count} bookings on my bank account
        I don't recognize a charge. Give me the most recent {count}.
        statement with the last {count} entries
        Which {count} payments were booked most recently?
        Show the past {count} debits and credits please.
        i want my {count} most recent purchases by card
        The top {count} lines of my bank statement, please.
        Would you bring up my {count} newest transactions?
        latest {count} movements on the account
    """),
    "pay_bill": _requests("""
        {invoice} is overdue, settle it now
        ~clear the open invoice {invoice} please
        ~arrange payment of bill {invoice} for {date}
        pay {invoice}
        I got a reminder for {invoice}. Take care of the payment.
        Let's get invoice {invoice} paid on {date}.
        The electrician sent invoice {invoice}; transfer what is owed.
        bill no. {invoice}, pay on {date}
        My landlord is angry about bill {invoice}, pay him.
        Could the invoice with number {invoice} be paid today?
        is {invoice} still open? then pay it
        I'd like to get rid of bill {invoice} by paying it on {date}.
        open bill {invoice}: settle
        Make sure that invoice {invoice} is settled by {date}.
        Kindly take care of my unpaid invoice {invoice}.
    """),
    "block_card": _requests("""
        Somebody took my wallet, card ending {digits}. Stop it!
        ~disable my card {digits} now
        card {digits} lost
        I left card {digits} in a taxi, nobody should pay with it.
        ~make card {digits} unusable please
        There are strange charges on {digits}, shut the card down.
        deactivate bank card {digits}
        My purse was stolen today with card {digits} inside.
        no more payments with card {digits}, please
        Can you make sure nobody uses my card {digits}?
        I can't find my credit card {digits} anywhere, better freeze it.
        a thief has card {digits}!! stop it
        Suspend card {digits} at once.
        The cash machine swallowed card {digits}, lock it.
        ~put a stop on card number {digits}
    """),
    "send_email": _requests("""
        ~shoot an email to {email}: {text}
        to: {email}, message: {text}
        ~write {email} an email about {subject} saying "{text}"
        {email} should get a mail with "{text}"
        Let {email} know by email: {text}
        Would you compose a mail for {email}? Subject "{subject}", body "{text}".
        I want the words "{text}" to reach {email} by mail.
        email {email} / {subject} / {text}
        Reply to {email} with the text "{text}" please.
        Get in touch with {email} by mail, topic "{subject}", and tell them "{text}".
        ~forward the message "{text}" to {email}
        mail to {email} now: {text}
        My boss {email} is waiting for an email. Tell him "{text}".
        Can an email go out to {email}? It should read: {text}
    """),
    "send_sms": _requests("""
        ~let {name} know by text message that {text}
        sms {name} {text}
        {name} should get a message: "{text}"
        Drop {name} a short text: {text}
        Could {name} be told by SMS that {text}
        I'm running late, write to {name}: "{text}"
        tell {name} via text: {text}
        shoot {name} a text, "{text}"
        Send my friend {name} the words "{text}" by phone.
        ~ping {name} with the message "{text}"
        I'd like to text {name} now. The message: {text}
        Message for {name}, please: {text}
        Would you text {name} quickly? Say "{text}".
        {name} is waiting for a text from me, write "{text}"
    """),
    "post_channel": _requests("""
        Let everybody in {channel} know: {text}
        #{channel} <- {text}
        ~announce in the {channel} channel that {text}
        ~share "{text}" with the people in #{channel}
        The team in #{channel} should read this: {text}
        tell the {channel} channel "{text}"
        I have something for the {channel} channel: {text}
        Chat message to #{channel} now: "{text}"
        Could you put up a post in {channel}? It goes "{text}".
        publish "{text}" on our {channel} channel
        Say "{text}" in #{channel} please.
        Everyone who follows the {channel} channel needs to see "{text}"
        channel {channel}, text "{text}"
        ~broadcast "{text}" over the {channel} channel
        In our group chat {channel}, write: {text}
    """),
    "read_inbox": _requests("""
        Any mail for me today?
        Did {name} write to me?
        ~open my mailbox
        ~see if something from {name} has arrived in my mailbox
        unread?
        i'm waiting for an email from {name}, is it there
        You've got mail? Let me hear it.
        Which messages haven't I read yet?
        new mail please
        Is there post from {name} in my inbox?
        What did people email me overnight?
        emails from {name}, unread ones
        How many unread emails do I have now?
        I haven't looked at my mail today. What came in?
        Has anybody sent me an email?
        ~go through my unread messages
    """),
    "phone_call": _requests("""
        I need to talk to {name} now.
        get me {name} on the line {speaker}
        phone {name} pls
        Could you connect me with {name}, {speaker}?
        Let's ring up {name}.
        I'd like to hear {name}'s voice, start a call.
        {name} wants to speak to me, dial please
        start a phone call to {name} now
        I promised {name} a ring today.
        my hands are full, ring {name} {speaker}
        Put me through to {name}.
        Would you place a call to {name} for me?
        it's urgent, get hold of {name} by phone
        Is {name} home? Give them a ring now.
        i'd like to speak with {name} please
    """),
    "contact_find": _requests("""
        contact details {name}
        ~pull up {name} from my address book
        Is {name} among my contacts?
        Which number does {name} have?
        where does {name} live, look in my contacts
        I'd like to ring {name} but don't know the number.
        What's the phone number of {name} again?
        ~search my address book for {name} please
        address and phone of {name}
        Do I have {name} saved somewhere?
        {name} contact info pls
        Someone wants {name}'s details. What have we got?
        I lost {name}'s phone number, please look it up.
        Under which number can one get {name}?
    """),
    "contact_add": _requests("""
        {name} has a new phone: {phone}. Save.
        ~store the number {phone} under {name}
        ~put {name} with {phone} in my address book
        {phone} belongs to {name}, please keep it
        contact {name} {phone}
        I want {name} among my contacts, phone {phone}.
        The new neighbor is {name}, number {phone}. Keep that.
        please enter {name} in the phone book: {phone}
        Create an address book entry for {name} with {phone} now.
        {name} gave me this number: {phone}. Don't lose it.
        Note {phone} as the phone of {name}.
        My plumber is called {name}, phone {phone}. Add him.
        add contact, name {name}, tel {phone}
        ~keep {phone} as the number of my friend {name}
        Would you record {name}'s phone number {phone} for later?
    """),
    "create_event": _requests("""
        {event}, {date}, {time} - into my diary
        ~pencil in a {event} for {date}
        ~arrange a {event} for {date} at {time}
        Mark {date} for the {event} please.
        We're having a {event} on {date}. It starts at {time}.
        diary: {event} on {date}
        Could my calendar get a {event} for {date} at {time}?
        don't let me forget the {event} on {date}, put it in the calendar
        The {event} was fixed for {date}, {time}. Save the date.
        plan my {event} for {date}
        I want the {event} noted on {date} in my agenda.
        Set up a {event} {date} at {time}, would you?
        book a {event} in my calendar, {date} {time}
        On {date} at {time} there's a {event}, add it please.
        Keep {date} free for my {event}.
        ~enter the {event} on {date} in my planner
    """),
    "list_events": _requests("""
        Any appointments {day}?
        ~go through my diary for {day}
        {day} schedule please
        what am i doing {day}
        How does my {day} look?
        Do I have to be somewhere {day}?
        what's in my planner for {day}
        Which meetings are waiting for me {day}?
        I want to sleep in {day}. Is anything scheduled?
        my calendar {day} pls
        ~read out what is on for {day}
        Give me an overview of my appointments {day}.
        Who am I meeting {day}?
        Anything on my plate {day}? Look in the calendar.
    """),
    "cancel_event": _requests("""
        We no longer have the {event}, scrap it
        ~scratch the {event} from my calendar
        ~call off the {event} planned {day}
        {event} cancelled, take it out of my diary please
        I can't make it to the {event} {day}. Drop it.
        no {event} {day} after all
        Would you kindly strike the {event} from my schedule?
        I'm ill, so cancel the {event} {day}.
        Forget about the {event}; it isn't happening.
        drop my {event} {day} pls
        The calendar still shows the {event}. It should go.
        Nobody is coming to the {event}, remove the entry.
        my {event} {day} was called off, clear it
        Free up the slot of the {event}, it fell through.
        I don't want to go to the {event} {day}, take it off the calendar
    """),
    "reminder": _requests("""
        At {time} nudge me to {task}.
        ~make sure I don't forget to {task} at {time}
        ~ping me at {time} so that I {task}
        {time}: {task} - remind me
        I tend to forget things. Tell me at {time} to {task}.
        Could you poke me around {time} to {task}?
        don't let me forget, {task}, {time}
        Please alert me at {time}: {task}
        i must {task} at {time}, remind me please
        When it's {time}, tell me "{task}".
        Notify me at {time} that I have to {task}
        My memory is bad: {task} at {time}, give me a reminder.
        Set me a reminder, {time}, with the text "{task}".
        I want a nudge at {time} to {task}
        reminder to {task} at {time} today
    """),
    "set_alarm": _requests("""
        Get me out of bed at {time}.
        ~ring the alarm at {time} {day}
        ~make the clock ring at {time}
        up at {time} please
        My train goes early, so I have to get up at {time} {day}.
        alarm clock {time} {day}
        I want to sleep until {time} and no longer.
        Don't let me oversleep, {time} {day}.
        wake up call {time} please
        Could the alarm go off at {time} {day}?
        when i have to rise at {time}, you'll ring, ok?
        I must be out of bed by {time} {day}; wake me.
        Let it ring at {time}.
        ~rouse me at {time} {day}
        Alarm for {day}, {time} sharp.
        new alarm, {time}
    """),
    "set_timer": _requests("""
        Eggs are boiling, {minutes} minutes please!
        countdown {minutes}
        The {label} needs {minutes} minutes in the oven. Watch the clock.
        ring in {minutes} minutes
        Let me know after {minutes} minutes.
        {label} timer, {minutes} min
        I'd like a countdown of {minutes} minutes now.
        My tea has to steep {minutes} minutes, time it.
        in {minutes} minutes the {label} must come out, beep then
        Beep when {minutes} minutes have passed.
        Would you keep time for me? {minutes} minutes.
        stopwatch down from {minutes} min please
        {minutes} minutes for {label}, starting now
        Start the clock, {minutes} minutes please.
        {label} in the pan, shout after {minutes} minutes
    """),
    "todo_add": _requests("""
        I mustn't forget: {task}. List it.
        ~jot {task} on my to-dos
        ~enter "{task}" in my task list with {priority} priority
        new todo {task}
        tasks += {task}
        Another chore for my list: {task}
        One of these days I should {task}, write it on my to-do list.
        "{task}" belongs on my task list, {priority} priority
        I still have to {task}; put that among my tasks.
        Could you append "{task}" to my to-dos please?
        remember as a task: {task}
        My list of chores lacks something: {task}
        open task ({priority}): {task}
        ~create a {priority} priority to-do "{task}"
        Something else to do, {task}. Onto the list!
    """),
    "todo_list": _requests("""
        What's left on my plate?
        my chores?
        ~go over my tasks with me
        Which things haven't I done yet?
        tasks pls
        How long is my to-do list now?
        I feel like I'm forgetting something. Show what is left to do.
        What should I be doing today? Look at my tasks.
        remaining todos
        ~bring up my list of tasks
        Are there chores left for me?
        I want to see all my open to-dos please.
        is there anything i have not ticked off yet
        Give me an overview of my unfinished tasks.
        Let me hear everything that is still on my to-do list.
    """),
    "todo_done": _requests("""
        {id} done!
        ~check off number {id} on my list
        ~cross task {id} off
        I just finished {id}, cross it out please
        Finally got task {id} behind me.
        todo {id} completed
        Number {id} on my list is taken care of.
        set task {id} to finished
        You may strike {id} from my to-dos now.
        hooray, to-do {id} is over with
        My task {id} can be marked complete.
        I've dealt with {id}, tick.
        Would you check the box for task {id}?
        completed: {id}
        Task number {id} needn't be done any more, it's ready.
    """),
    "shopping_add": _requests("""
        The fridge has no {food} left.
        ~get {food} onto the groceries list
        ~write {count} {food} on the shopping list please
        buy list: {food}
        i want to cook tonight and lack {food}, list it
        Next time at the supermarket we should get {food}.
        {food} for the shopping list
        Someone ate all the {food}! Put it down for the next shopping trip.
        {count} {food}, onto my grocery list now
        Remember to buy {food} please.
        shopping: some {food}
        We could use {count} {food} from the store, add that.
        Don't let me leave the supermarket without {food}.
        my grocery list needs {food}
        Put down {food} among the groceries.
    """),
    "note_create": _requests("""
        ~keep in my notes: {note}
        ~memo: {note}
        Worth remembering: {note}
        Take a note please: {note}
        for my notes: {note}
        I want to keep this thought: {note}
        Could you scribble "{note}" in my notebook {notebook}?
        new note {note}
        Before I forget it, note that {note}
        Please file "{note}" under {notebook} in my notes.
        put this in writing: {note}
        Write the following in the {notebook} notebook: {note}
        Record for later: {note}
        make a memo in {notebook}, "{note}"
        My notes should say that {note}
    """),
    "note_search": _requests("""
        ~dig through my notes for {topic}
        Where are my notes about {topic}?
        what did i jot down on {topic}
        Have I ever made a note on {topic}?
        my notes: {topic}?
        I remember writing about {topic} some time ago, bring it up.
        ~pull the note regarding {topic}
        find {topic} in my notebook
        Which of my notes deal with {topic}?
        Show everything I noted concerning {topic}.
        I need my old memo about {topic} now.
        any memo of mine on {topic}
        Look up what I've written on {topic} please.
        Didn't I scribble something on {topic}? Search.
        search notebook {topic}
    """),
    "play_song": _requests("""
        My favorite is {title}, put it on please.
        ~put {title} on
        ~let me hear {title} from {artist} now
        {title} by {artist} pls
        that tune {title}, can i have it
        Could the speakers give us {title} by {artist}?
        I'm in the mood for {title} today.
        music: {title}
        Let's dance to {title}!
        spin {title}, the one by {artist}
        I'd love some {artist}, namely {title}.
        How about the track {title} now?
        queue up "{title}" and go
        Start playing {title} for my guests.
        Sing me {title} from the stereo please.
    """),
    "play_genre": _requests("""
        I could do with some {genre} now.
        {genre} radio
        ~tune in to a {genre} station
        ~fill the house with {genre} please
        Something in the style of {genre} would be nice today.
        any {genre} on the radio
        My mood calls for {genre}.
        let's hear a bit of {genre}
        Guests are coming, put {genre} tunes on.
        I work best with {genre} playing.
        stream {genre}
        Do you have a channel with {genre}? Play it.
        Could we get {genre} music in here?
        we want to dance to {genre} tonight
        Nothing but {genre} for me now, please.
    """),
    "volume": _requests("""
        Louder! Go to {level}.
        I can't hear a thing, {level} please
        ~bring the sound to {level}
        sound {level}%
        The baby sleeps, put the sound down to {level}.
        ~adjust the loudness to {level} percent
        loudness {level} now
        How about {level} percent volume?
        My ears hurt, {level} percent is enough.
        turn it to {level}
        Speakers at {level} please.
        I'd prefer the sound level at {level}.
        crank the music to {level}
        Could the speakers play at {level} percent?
        quieter, {level} will do
    """),
    "pause_music": _requests("""
        Quiet for a moment, please.
        ~hold the music
        ~halt playback
        Hush, I need silence now.
        Someone's at the door, hold the song.
        pause playback
        stop playing for now
        Can the music take a break?
        I want some peace, no more songs.
        music off for a minute
        Would you interrupt the music while I talk?
        freeze the song right there
        Give me silence, please.
        hang on, stop that tune
        I can't think with this playing.
    """),
    "next_track": _requests("""
        This tune is boring, go on to another.
        ~jump ahead one song
        ~move on to the following track
        next!!
        not this one, another song
        I've heard this one too often, move on.
        Can we have a different song now?
        forward one track
        What comes after this song? Play that.
        This is awful, change the song.
        Would you go to the following title please?
        skip this tune
        I want the song after this one.
        another one please, i hate this song
        On to the next number in the playlist.
    """),
    "movie_info": _requests("""
        is {title} a good movie
        Which actors are in the film {title}?
        ~look up the movie {title} please
        film {title}
        I might watch the movie {title}. What's it about?
        Is the film {title} worth my evening?
        plot of the movie {title}?
        How long does the film {title} run?
        What do critics think of the movie {title}?
        Give me some facts on the film {title}.
        movie: {title}, who stars
        Someone recommended the film {title}. Tell me more.
        Is the movie {title} suitable for my kids?
        ~find out who made the film {title}
        imdb {title}
    """),
    "cinema": _requests("""
        Which movie theaters in {city} show {title}?
        I'd like to see {title} on the big screen in {city}.
        ~find when {title} plays in {city} today
        when can i catch {title} in {city}
        Is there a late show of {title} in {city}?
        movie theater {city}: {title}?
        My friends and I fancy {title}; where in {city} is it on?
        ~check the program of the cinemas in {city} for {title}
        At what hours does {title} run in {city} now?
        Can one still watch {title} at the movies in {city}?
        a date in {city}, we want to watch {title} at the cinema
        Does any theater in {city} play {title} tonight?
        Popcorn and {title} in {city}, what times?
        Showings for {title} please, {city}
    """),
    "lights": _requests("""
        It should be light {state} in the {room} now.
        {room} lights {state} pls
        ~put the lamps in the {room} {state}
        I'm in the {room}, lights {state}!
        lamp {room} {state}
        Could my {room} have its lights {state}?
        Would you mind switching {state} the lights in the {room}?
        ~flip the {room} light switch to {state}
        Let the lamps of the {room} go {state}.
        in the {room} i want all the lights {state}
        Everybody left, so {room} lamps {state} please.
        Please see to it that the {room} lighting is {state}.
        The bulbs in the {room} must be {state} today.
        get the {room} lights switched {state}
        Lighting {state} for the {room}, thanks.
    """),
    "light_color": _requests("""
        Some {color} in the {room} would be cozy, set the lamp.
        ~make the lamps in the {room} glow {color}
        ~tint the {room} light {color} please
        {room}: {color} light
        i want my {room} lit in {color}
        Party time! {color} bulbs in the {room}.
        Could the {room} shine in {color} tonight?
        switch the {room} bulbs to {color}
        I'd prefer {color} for the lights of the {room}.
        Let there be {color} light in my {room}.
        bulb color {color}, {room}
        Instead of white use {color} in the {room} lamps.
        The mood in the {room} should be {color}, adjust the lamps.
        give the {room} a {color} glow
        How about {color} lighting for the {room} now?
    """),
    "thermostat": _requests("""
        I'm freezing, {degrees} degrees please.
        ~warm the {room} up to {degrees}
        ~adjust the heater to {degrees} degrees
        {degrees} degrees in here now
        My feet are cold. Make it {degrees}.
        the {room} should have {degrees} degrees
        Too hot in the {room}, go down to {degrees}.
        Could we have {degrees} degrees in the {room} today?
        heating {room} {degrees}
        I'd feel better at {degrees} degrees, adjust the radiators.
        Let the {room} reach {degrees} degrees please.
        bring the room temperature to {degrees}
        Turn the heater in the {room} to {degrees}.
        it's chilly, heat up to {degrees}
    """),
    "lock_door": _requests("""
        Please {action} my {door} now.
        ~{action} our {door} for the night
        {door}: {action}
        would someone {action} the {door}
        The {door}, {action} it please.
        I forgot something, kindly {action} the {door}.
        Could you remotely {action} the {door}?
        My guests are here: {action} the {door}.
        I want you to {action} the {door} today.
        can the {door} be handled? {action} it
        From my phone: {action} {door}.
        Time to {action} the {door}, isn't it?
        do {action} the {door} for me
        The {door} please. You should {action} it.
        I'm leaving in a minute so {action} the {door}.
    """),
    "blinds": _requests("""
        Too bright in the {room}, blinds to {percent} percent.
        ~lower the shades in the {room} to {percent}%
        ~move the {room} shutters to {percent} percent
        {room} blinds {percent}
        shades {room} {percent}%
        Let some sun into the {room}: {percent} percent on the blinds.
        i'd like the shutters in my {room} at {percent} percent
        Could the {room} shades go to {percent}%?
        Neighbors can see the {room}. Blinds at {percent}% now.
        Roll the {room} blinds to {percent} percent please.
        adjust shutters, {room}, {percent}
        The {room} window covers should stand at {percent} percent.
        Position {percent}% for the blinds in the {room}.
        I want to nap in the {room}, shades {percent}%
        pull the blinds in the {room} to {percent} percent
    """),
    "device_switch": _requests("""
        Is the {device} running? I want it {state}.
        ~power the {device} {state}
        {device} {state} now
        ~get my {device} switched {state}
        I'd like my {device} {state} please.
        turn {state} our {device}
        Please see that the {device} is {state}.
        power {state}: {device}
        Would you flip the {device} {state} for me?
        The plug of the {device} should be {state}.
        the {device}, {state} pls
        I'm leaving, the {device} has to be {state}.
        Set my {device} to {state} today.
        Could somebody put the {device} {state}?
        Have the {device} {state} before I come home.
    """),
    "vacuum_robot": _requests("""
        My {room} is filthy, clean it with the robot.
        ~hoover the {room} please
        robot {room}
        i dropped cereal in the {room}, get the robot going
        Dust bunnies in the {room} again!
        Would the little robot tidy the floor of the {room}?
        vacuum my {room} now
        The floor in the {room} needs cleaning today.
        Start cleaning in the {room}, robot.
        clean floor in {room} pls
        Guests arrive soon and the {room} floor is dirty.
        Have the robot do the {room}.
        The dog lost hair all over the {room}. Vacuum!
        I'd like some hoovering in the {room}.
    """),
    "camera": _requests("""
        Is anybody at the {spot}? Show me.
        ~show me what the {spot} looks like now
        photo {spot}
        cam {spot} please
        ~grab an image from the {spot} camera
        Who is sneaking around the {spot}?
        let me see the {spot}
        I want a look at the {spot} right now.
        Did a parcel get dropped at the {spot}? Take a photo.
        security camera, {spot}
        My dog barks at something by the {spot}. What is there?
        Could I get a live picture of the {spot}?
        snap the {spot} for me
        Check on the {spot} with the camera today.
        What is going on at the {spot}? Camera please.
    """),
    "watering": _requests("""
        The {zone} is thirsty, {minutes} minutes.
        ~sprinkle the {zone} for {minutes} minutes please
        {zone} {minutes} min water
        water my {zone}, {minutes} minutes now
        ~turn the hose on the {zone} for {minutes} minutes
        It hasn't rained. {minutes} minutes for the {zone}.
        Let the sprinkler run {minutes} minutes over the {zone}.
        My {zone} is turning brown, water it {minutes} minutes.
        irrigation: {zone}, {minutes}
        Give the plants in the {zone} {minutes} minutes of water today.
        Could the {zone} be watered for some {minutes} minutes?
        sprinklers {zone} {minutes} minutes
        I'd say {minutes} minutes of watering for the {zone}.
        The garden is dry, mostly the {zone}. Water for {minutes} minutes.
        {minutes} minutes of sprinkling on the {zone}, thanks
    """),
    "search_web": _requests("""
        ~browse the internet for {query}
        ~do a web search on {query} please
        online: {query}
        I'm curious what one finds online on "{query}".
        web results for {query}, {count} of them
        look on the internet: {query}
        Show me {count} web pages about "{query}".
        can you google "{query}" for me now
        My question to the internet: {query}
        search engine {query}
        I'd like {count} hits for "{query}" from the web.
        Find something online on {query}
        What comes up if you google "{query}"?
        Let the search engine look for "{query}", {count} hits
        see what the web has on "{query}" today
    """),
    "search_files": _requests("""
        I lost {file}, where might it be?
        ~hunt for {file} inside {folder}
        in which folder is {file}
        {file} location?
        Did I save {file} somewhere under {folder}?
        My file {file} has disappeared, search for it.
        locate {file} in {folder} pls
        Where on my disk does {file} live?
        Is {file} anywhere in {folder}?
        Can't find {file} any more. Help me look.
        Search the computer for {file} now.
        look under {folder} for {file}
        which path does {file} have
        Someone moved {file}. Track it down in {folder}.
    """),
    "read_text_file": _requests("""
        ~print the contents of {file} here
        ~display {file} please
        I want to know what {file} says.
        Could you read {file} out to me?
        Let me look into {file}.
        What did I put in {file}?
        show {file} now
        I'd like to read my {file} today.
        Would you open {file} and give me its text?
        view {file}
        The text in {file}, please.
        What does it say inside {file}?
        Tell me what is stored in my {file} please.
        i never read {file}, what is the text
    """),
    "delete_file": _requests("""
        ~throw {file} away
        Nobody needs {file} now, wipe it.
        I made {file} by mistake, erase it please.
        trash {file}
        My disk is full, kill {file}.
        Would you discard {file}?
        {file} is garbage, dump it
        I want {file} gone from my disk.
        Bin {file} please.
        The old {file} should disappear.
        make {file} vanish
        Clear {file} off the computer today.
        Away with {file}!
        ~wipe {file} from the disk please
    """),
    "rename_file": _requests("""
        ~give {file} the new name {new}
        {file} is a bad name, use {new}
        I want {file} to be {new} from now on.
        Could {file} become {new} please?
        ~call {file} {new} instead
        The file {file} needs another name: {new}
        Let's name {file} {new} now.
        from {file} to {new}, just the name
        I mistyped {file}, it must read {new}.
        turn the name {file} into {new}
        Make {file} carry the name {new}.
        My {file} should have been {new}. Fix the name.
        relabel {file} as {new}
        What if {file} was titled {new}? Change it now.
    """),
    "list_folder": _requests("""
        What have I got in {folder}?
        ~show everything inside {folder}
        dir {folder}
        contents of {folder} please
        Is {folder} empty?
        which documents are in my {folder}
        Let me see the files under {folder}.
        folder {folder}, what's in it
        I wonder what lies around in {folder}.
        Could you peek into {folder} and list what's there?
        ~enumerate the files of {folder}
        Tell me what {folder} holds now.
        all files in {folder}
        Give me a listing of {folder} today.
        Anything stored in {folder}?
    """),
    "search_docs": _requests("""
        ~consult the documentation on {topic}
        manual {topic}
        our docs about {topic}?
        Where does the handbook talk about {topic}?
        Which page of the docs covers {topic}?
        I need the documentation for {topic} now.
        Check the product manual for {topic} please.
        help pages: {topic}
        I can't figure out {topic}, see what the docs say.
        Find {topic} in the product manual.
        The user guide must have something on {topic}.
        docs search: {topic}
        Could you look for {topic} in the official documentation?
        i am stuck with {topic}, any help page in the docs
    """),
    "news": _requests("""
        Anything new on {topic}?
        ~get me today's headlines about {topic}
        what do the papers say about {topic}
        Has {topic} been in the news?
        I've missed everything on {topic}, update me from the news.
        latest on {topic} please
        Which stories about {topic} came out today?
        ~catch me up on {topic} news
        What are journalists writing on {topic} now?
        breaking: {topic}?
        I'd like to read current articles on {topic}.
        Bring me up to date, news about {topic}.
        press on {topic}
        Is there some fresh reporting on {topic}?
    """),
    "open_url": _requests("""
        ~visit {url}
        ~take me to {url} please
        {url}
        browser: {url}
        I'd like to see the site {url} now.
        Show the page at {url}.
        what does {url} say
        Could you pull up {url}?
        Let me look at {url} online.
        navigate to {url}
        My friend sent me {url}, open it.
        view {url} in the browser
        Surf to {url}.
        Please fetch the website {url} for me.
        I want to read {url} today
    """),
    "translate": _requests("""
        ~render "{sentence}" in {language} please
        My guide only speaks {language}. Tell him "{sentence}".
        How would a {language} speaker say "{sentence}"?
        what is "{sentence}" when said in {language}
        I have to write "{sentence}" to a friend who reads only {language}.
        {language} translation of "{sentence}" now
        Say "{sentence}" the {language} way.
        I'm learning {language}. What's "{sentence}"?
        Turn "{sentence}" into proper {language}.
        give me the {language} version of "{sentence}"
        Could I have "{sentence}" translated, in {language}?
        to {language}: "{sentence}"
        I'd like to hear "{sentence}" in {language} now.
        what do people say for "{sentence}" where they speak {language}
    """),
    "dictionary": _requests("""
        What's a {word}?
        Someone said "{word}", what do they mean?
        I came across the term "{word}". Definition please.
        what does "{word}" stand for
        Does anybody know what "{word}" means?
        {word} definition
        Never heard the word {word}. Explain it.
        Could you define "{word}" for me now?
        the term {word}, what is meant
        My book uses "{word}" and I don't get it.
        What is meant by the word "{word}"?
        ~clarify the meaning of "{word}" please
        dict {word}
        i do not understand the word {word}
    """),
    "spell_check": _requests("""
        {word} - typo?
        ~proof the word {word}
        I wrote "{word}", is that correct spelling?
        do you write it {word}
        Any mistakes in the word "{word}"?
        How is {word} properly written?
        spellcheck {word} please
        I'm not sure how to spell "{word}".
        Does "{word}" contain a spelling mistake?
        is it {word} or did i misspell it
        My teacher underlined "{word}". Is it misspelled?
        Are the letters of "{word}" right?
        correct spelling for {word}
        Look over the spelling of {word} now, thanks.
    """),
    "synonyms": _requests("""
        Which words are similar to "{word}"?
        another word for {word}
        ~suggest alternatives for "{word}"
        I use "{word}" too often in my essay. Replace with what?
        What could I say instead of "{word}"?
        similar words: {word}
        Is there some nicer word than "{word}"?
        ~list words that mean the same as {word}
        My text repeats "{word}", give me variations.
        Words with the meaning of "{word}" please.
        something like "{word}" but not "{word}"
        What else means {word}?
        I'd like a few equivalents of "{word}" now.
        a substitute for the word {word}
    """),
    "route": _requests("""
        I'm driving from {origin} to {destination} today, guide me.
        ~navigate from {origin} to {destination} by {mode}
        {origin} -> {destination} by {mode}
        How do I reach {destination} when I start in {origin}?
        best way {origin} to {destination}
        My trip begins in {origin} and ends in {destination}. Show the way.
        way to {destination} from {origin} please
        Take me from {origin} over to {destination} by {mode}.
        I'd like to travel by {mode} from {origin} to {destination}; which way?
        ~plan my way from {origin} to {destination} now
        lost in {origin}, how do i find my way to {destination}
        Which turns get me to {destination} from {origin}?
        Could you describe the way to {destination}? I'm in {origin}.
        by {mode} to {destination}, start {origin}
        How would one go from {origin} to {destination} by {mode}?
    """),
    "distance": _requests("""
        How many kilometers lie between {origin} and {destination}?
        {origin} {destination} distance
        Is {destination} far away from {origin}?
        ~compute how many miles separate {origin} and {destination}
        km from {origin} to {destination} please
        What stretch separates {origin} from {destination}?
        how long is the stretch {origin} - {destination} in km
        I wonder how far it is to {destination} if you live in {origin}.
        Are {origin} and {destination} close to each other? How many km?
        miles between {origin} and {destination}
        The birds fly from {origin} to {destination}. How many kilometers is that?
        give me the mileage {origin} to {destination}
        How near is {destination} to {origin}?
        What's the gap between {origin} and {destination} on the map, in km?
        My aunt is in {destination}, I'm in {origin}. How many miles apart are we?
    """),
    "nearby": _requests("""
        Is there some {kind} around {city}?
        {kind} {city}
        ~show me every {kind} close to {city}
        I'm in {city} and looking for a {kind} now.
        where can i find a {kind} in {city} please
        closest {kind} to {city}
        Does {city} have a {kind}?
        We just arrived in {city}. Which {kind} is near?
        Point me to a {kind} in {city}.
        any {kind} within reach of {city} today
        I urgently need a {kind} around {city}!
        ~locate the nearest {kind} in {city}
        Could you direct me to a {kind} near {city}?
        map: {kind} around {city}
        How far to a {kind}? I am in {city}.
    """),
    "traffic": _requests("""
        Are the roads in {city} clogged?
        jams in {city} now?
        ~see how the roads are in {city} today
        How long are the queues on the streets of {city}?
        congestion {city}
        Can I drive through {city} without getting stuck?
        is everybody stuck in {city} right now
        Roads in {city} please, any delays?
        My commute goes through {city}. Is it flowing?
        I'm in the car to {city}, are there accidents or jams?
        ~report on road traffic for {city} please
        is it slow on the roads around {city}
        Would I be stuck in {city} at this hour?
        What are the streets like in {city} now, full of cars?
        road situation {city}
    """),
    "parking": _requests("""
        Where do I leave my car close to {address}?
        ~look for a spot to park at {address} for {hours} hours
        park {address} {hours}h
        garage near {address} please
        I'm driving to {address} today and need a place for the car.
        Is there room to park around {address}?
        car space at {address}, {hours} hours
        any free spots at {address} now
        My car has to stay {hours} hours near {address}.
        ~get me a parking space by {address}
        We're going to {address} by car. Where can it stand?
        somewhere to park for {hours} hours, {address}
        Can one park at {address}?
        I'd need a lot close to {address} for about {hours} hours.
        Free parking around {address}, does that exist?
    """),
    "taxi": _requests("""
        I need a ride from {pickup}.
        ~send a cab over to {pickup} at {time}
        cab {pickup}
        pick us up at {pickup}, we are {people}
        My feet hurt. A taxi to {pickup} now please.
        ride for {people} from {pickup} at {time}
        ~call a car to {pickup} for {people} people
        Can a driver come to {pickup} at {time}?
        I'm at {pickup} and want to go home by taxi.
        we need a taxi for {people}, waiting at {pickup}
        Have a taxi waiting at {pickup}, {time} sharp.
        Someone should collect me from {pickup} at {time} by cab.
        Could a cab fetch {people} passengers at {pickup}?
        taxi please, {pickup}
        Order us a ride, {people} people, pickup at {pickup}, {time}.
    """),
    "flights": _requests("""
        I'm dreaming of {destination}, any planes from {origin}?
        ~look for airfares {origin} to {destination}
        {origin} to {destination} by plane on {date}
        plane tickets {origin} - {destination} please
        Which airlines go from {origin} to {destination} on {date}?
        I want to get on a plane in {origin} and off in {destination} on {date}.
        cheap flights from {origin} to {destination}
        Is there a plane to {destination} leaving {origin} on {date}?
        ~show available flights out of {origin} to {destination} for {date}
        My conference is in {destination}; flying from {origin} on {date}, what's on offer?
        fly {origin} {destination}
        How could I fly from {origin} over to {destination} now?
        We're flying from {origin} on {date}, heading for {destination}. Options?
        airfare to {destination}, departing {origin}, {date}
        Could I leave {origin} by air for {destination}?
    """),
    "flight_status": _requests("""
        Has {flight} landed?
        {flight} on time?
        ~see if {flight} is late
        My mother sits in {flight}. Has she arrived?
        Did flight {flight} take off already?
        when does {flight} land
        Is {flight} delayed today?
        flight {flight} status now
        I'm picking someone up from {flight}, is it punctual?
        ~find out when flight {flight} touches down
        Was {flight} cancelled?
        what gate for {flight}
        I'd like an update on flight {flight} please.
        Any delay on {flight}?
        Is plane {flight} in the air?
    """),
    "trains": _requests("""
        I'd like to go by rail from {origin} to {destination}.
        rail {origin} {destination} {time}
        ~look up rail connections {origin} to {destination}
        ~see which train leaves {origin} for {destination} after {time}
        train {origin}-{destination} please
        Is there a late train from {origin} to {destination}?
        When can I get from {origin} to {destination} by rail after {time}?
        from {origin} to {destination} on the train, around {time}
        Timetable for {origin} to {destination} now?
        I hate flying, so which trains run {origin} to {destination}?
        next train {origin} to {destination}
        I must be on a train out of {origin} by {time}, going to {destination}.
        Could I take the railway from {origin} to {destination} today?
        train departures: {origin} to {destination}, {time}
        We're at the station in {origin}, what goes to {destination}?
    """),
    "hotels": _requests("""
        I need somewhere to sleep in {city}.
        ~look for accommodation in {city}, {nights} nights
        hotel {city} {nights} nights
        place to stay in {city} please
        We're staying {nights} nights in {city}. Where can we sleep?
        Is there a decent inn in {city} under {budget}?
        rooms in {city}, at most {budget} a night
        My wife and I visit {city} for {nights} nights and pay up to {budget}. Rooms?
        ~see which hotels {city} has online
        Where could I spend {nights} nights in {city}?
        cheap bed in {city}, not over {budget}
        Tired and in {city}: any room free now?
        I'd like lodging in {city} for {nights} nights.
        Suggest somewhere to stay overnight in {city}.
        accommodation {city} up to {budget} pls
    """),
    "rent_car": _requests("""
        I need wheels in {city} for {days} days.
        ~hire a car in {city} for {days} days
        {city}, {days} days, rental car ({size})
        hire car {city} {days}d
        We want to drive around {city} for {days} days, get us a {size} car.
        Could I pick up a {size} rental in {city} and keep it {days} days?
        my car broke down in {city}, i need another for {days} days
        ~arrange a {size} hire car for {days} days in {city}
        A vehicle for {days} days in {city} please.
        I'm landing in {city} and want a car for {days} days.
        rent {size} {city} {days} days
        Driving in {city} for {days} days, something {size} please.
        get me a car in {city}, {days} days, size {size}
        Is a {size} car for {days} days possible in {city}? Reserve it.
        In {city} I'd need a rented car during {days} days.
    """),
    "bus_next": _requests("""
        How long do I wait for the {line}?
        bus {line} {stop}
        ~see when line {line} leaves {stop}
        I'm at {stop}, when does the {line} come?
        Did I miss the {line} bus? When's another?
        {line} bus please, next one
        Is bus number {line} coming soon?
        next {line} at {stop} now
        My stop is {stop} and my bus the {line}. Departure?
        ~tell me the departure of bus {line} from {stop}
        when will the number {line} pull in at {stop}
        I've been standing here forever, where is bus {line}?
        When can I hop on line {line} at {stop}?
        departures line {line}
        The {line} from {stop}, what time please?
    """),
    "restaurants": _requests("""
        I am starving here in {city}.
        Where does one eat well in {city}?
        eat out {city}
        ~suggest somewhere to have dinner in {city}
        I feel like {cuisine} cooking tonight, and I'm in {city}.
        any good {cuisine} places in {city} please
        My parents visit me in {city}, where should we dine?
        hungry in {city} now
        Who serves {cuisine} dishes in {city}?
        We'd love a {cuisine} dinner somewhere in {city}.
        lunch spots {city}
        ~look for {cuisine} eateries in {city} online
        Can you name some places to eat in {city}?
        What's a nice {cuisine} place in {city} today?
    """),
    "book_table": _requests("""
        {restaurant}, {time}, {people} people
        ~get us a table at {restaurant} at {time}, we're {people}
        reserve {restaurant} {people} persons {time}
        My family of {people} wants to dine at {restaurant} at {time}.
        Does {restaurant} have room for {people} at {time}? Reserve.
        party of {people} at {restaurant}, {time} please
        I'd like to have dinner at {restaurant} with {people} people at {time}.
        Could you secure {people} seats at {restaurant} for {time}?
        ~hold a table for {people} at {restaurant}, arriving at {time}
        It's my birthday: {people} guests, {restaurant}, {time}. Reserve!
        dinner for {people} at {restaurant} around {time}
        We'll be {people} at {restaurant} at {time}, let them know and reserve.
        I need a reservation, {people} people, {time}, {restaurant}.
        At {time} the {people} of us want to eat at {restaurant}.
        table: {restaurant} / {people} / {time}
    """),
    "recipe": _requests("""
        How is {food} made?
        ~show me how to prepare {food}
        {food} recipe
        cooking {food} tonight, instructions please
        I've never made {food}. What goes in?
        Ingredients for {food}, serving {people}?
        My mother-in-law wants {food}; how do I make it?
        how to make {food} for {people} people
        ~give me cooking instructions for {food} for {people}
        I'd like to prepare some {food} today.
        teach me to cook {food}
        What are the steps for {food} at home?
        We are {people} at dinner, how do I cook {food}?
        Which ingredients go into {food}?
        homemade {food}, how
    """),
    "order_food": _requests("""
        I'm hungry, get me {food} from {restaurant}.
        ~have {restaurant} deliver {food}
        {restaurant}: {food} x {count}
        delivery please, {food} from {restaurant}
        Could {restaurant} bring us {count} {food}?
        dinner from {restaurant} tonight, {food}
        I don't want to cook. {food} from {restaurant} would do.
        ~request {count} servings of {food} at {restaurant}
        We'd love {count} times {food} brought over from {restaurant}.
        takeout {restaurant} {food} now
        My kids want {food}, let {restaurant} send it.
        some {food} delivered by {restaurant} please
        Call in {count} {food} with {restaurant} for delivery.
        I feel like eating {food} at home, {restaurant} delivers.
        get {count} {food} from {restaurant} to my door
    """),
    "nutrition": _requests("""
        Is {food} fattening?
        kcal {food}
        ~count the calories in {grams} grams of {food}
        How many calories am I eating with {grams} g of {food}?
        I'm on a diet. May I have {food}? Calories please.
        {food}, {grams} grams, kcal?
        how much energy is in {food}
        What does {food} do to my waistline, in calories?
        nutritional value of {food}
        Does {food} have a lot of sugar and fat?
        ~check what {grams} grams of {food} contain in calories
        I just ate {grams} grams of {food}. How bad was that?
        Will {food} make me fat?
        How healthy is {food}? Show nutrition values.
        calorie count for {grams} g {food} now
    """),
    "place_order": _requests("""
        I want a {item} sent to my home.
        ~purchase {count} pieces of {item}
        buy {item}
        order: {item}, {color}, {count} pieces
        My old one broke, so get me a new {item}.
        I'll take {count} of the {item} in {color}.
        please buy me a {color} one of these: {item}
        ~order me a {item} online
        We need {count} units of {item} for the office, order them.
        get me one {item} now
        Could you purchase a {item} in {color}?
        I've decided: the {item}. Buy it today.
        1 {item} pls, order
        Have a {item} delivered, color {color}.
        Order another {item} for my sister.
    """),
    "order_status": _requests("""
        {order} shipped yet?
        ~see how order {order} is coming along
        What's happening with my purchase {order}?
        order {order}?
        I'm still waiting for order {order}.
        Has order {order} been sent out?
        progress of order {order} please
        When will I get what I ordered under {order}?
        did you ship order {order} already
        Any update on order number {order}?
        ~tell me what state order {order} is in
        My purchase {order} should be here by now.
        is order {order} being processed
        I'd like to know how things stand with order {order} today.
        status: order {order}
    """),
    "refund": _requests("""
        I want my money back for {order}.
        ~reimburse order {order}
        money back {order} please
        {order} was bad ({reason}), give me a refund
        Return the payment for order {order}, because: {reason}
        I'm unhappy with order {order}. Pay me back.
        Could the amount for order {order} be reimbursed?
        reimbursement for order {order}, reason "{reason}"
        ~pay back what I spent on {order}
        I sent back order {order}. Where's my money? Refund it.
        please return my payment on {order}: {reason}
        Reason: {reason}. Order: {order}. I'd like a refund.
        The goods from {order} went back, so refund me now.
        I demand a refund on my order {order}!
        request refund order {order} "{reason}"
    """),
    "cancel_order": _requests("""
        I changed my mind about order {order}.
        ~stop order {order} before it ships
        {order} cancel
        don't send order {order}
        Please withdraw my order {order} now.
        I no longer want what I ordered as {order}.
        undo order {order}
        My son placed order {order} by accident, stop it.
        ~revoke order number {order}
        Can order {order} still be stopped?
        scrap order {order} please
        I'd like to back out of purchase {order}.
        forget order {order}, i don't need it
        Order {order} should not be shipped.
        abort my purchase {order} today
    """),
    "track_parcel": _requests("""
        Where's parcel {parcel} now?
        {parcel} parcel
        ~follow parcel {parcel} for me
        When does package {parcel} arrive?
        My package {parcel} is late, where is it stuck?
        shipment {parcel} please
        Is the postman bringing {parcel} today?
        locate package {parcel}
        ~see how far shipment {parcel} has come
        I'm expecting a box, tracking code {parcel}.
        Did parcel {parcel} reach the depot?
        track {parcel}
        In which town is my shipment {parcel}?
        I'd like to follow the package with number {parcel}.
        whereabouts of parcel {parcel}
    """),
    "inventory": _requests("""
        Do we still have the {item}?
        how many {item} pieces in the warehouse
        ~see how much of {item} is on our shelves
        {item} available in {city}?
        A customer asks for the {item}. Any left?
        inventory {item} {city}
        How many of the {item} does the {city} store have?
        Is the product {item} sold out?
        units of {item} left in {city} please
        ~count our stock of {item} now
        Must we reorder the {item}? How many remain?
        left in stock: {item}
        Can I still get a {item} at your shop in {city}?
        availability {item}
        What's the stock level of {item} today?
    """),
    "product_price": _requests("""
        How expensive is the {item}?
        price {item}
        ~find out what you charge for a {item}
        I'm interested in the {item}. What would I pay?
        what do you want for the {item}
        Is the {item} cheap? Tell me the price.
        cost of {item} please
        For how much do you sell the {item}?
        {item}: price now?
        What's the price tag on the {item}?
        Could you quote me a price for a {item}?
        how much money for one {item}
        I'd like to know the price of your {item} today.
        What must I spend to own a {item}?
        What is a {item} going for in the shop?
    """),
    "coupon": _requests("""
        I have a code: {coupon}. Make it cheaper.
        ~enter the promo code {coupon}
        promo {coupon}
        discount code {coupon} please
        A friend gave me voucher {coupon}, use it on my cart.
        Does {coupon} still work? Apply it.
        voucher: {coupon}
        ~activate my discount {coupon} now
        I'd like to pay less with {coupon}.
        My coupon says {coupon}, please deduct it.
        add code {coupon} to my basket
        Could you take {coupon} off the total?
        got a gift code, {coupon}
        Use my promotional code {coupon} at checkout.
        Here's the voucher number for my cart: {coupon}
    """),
    "cart_add": _requests("""
        I like the {item}, in my basket please.
        ~drop {count} {item} into my cart
        basket: {item}
        {count} of {item} to the basket
        I might buy the {item}, keep it in the cart.
        Could a {item} go in my cart?
        ~toss the {item} in my shopping basket
        I'd like {count} {item} in the basket now.
        My cart needs a {item} as well.
        also a {item} for the basket please
        Throw {count} {item} in the trolley.
        Let me have the {item} in my cart for later.
        Place the {item} in my online cart.
        i'll probably want the {item}, put it with my other things in the cart
        Another {count} {item} for my basket, please.
    """),
    "vacation": _requests("""
        I'm going to the beach {start} to {end}, request my days off.
        ~file for leave {start} through {end}
        leave {start} to {end}
        PTO {start} - {end}, {reason}
        May I stay home between {start} and {end}?
        I'd like time off from {start} up to {end} because of "{reason}".
        off work {start} till {end} please
        ~apply for holidays, first day {start}, last day {end}
        My boss should know I want leave from {start} to {end}.
        book me out from {start} until {end}: {reason}
        I need a break. {start} to {end}, please request it.
        holiday request, {start} until {end}
        Could I take {start} to {end} off? Reason: {reason}
        We travel on {start} and are back on {end}. Submit leave.
        Absence from {start} to {end}, reason "{reason}", please send it in.
    """),
    "vacation_left": _requests("""
        Can {name} still take time off?
        ~see how many holidays {name} has left
        {name} vacation balance
        leave balance for {name} please
        How many days may {name} still stay away this year?
        Has {name} used up all the holidays?
        PTO left: {name}
        I'm planning shifts. How many days off does {name} still have?
        ~check the leave account of {name}
        vacation days {name}
        What is left of {name}'s annual leave?
        days off remaining for {name} now
        Is there any leave remaining for my colleague {name}?
        Tell me the unused vacation of {name}.
        how much time off can {name} still take
    """),
    "poll": _requests("""
        Who prefers {first_option}, who prefers {second_option}? Ask everyone.
        poll: {first_option} / {second_option}
        ~ask the group whether they want {first_option} or {second_option}
        vote {first_option} vs {second_option}
        We can't agree on {first_option} or {second_option}, let everybody vote.
        Could the team decide between {first_option} and {second_option}?
        ~run a survey, {first_option} against {second_option}
        new poll, options {first_option} and {second_option} please
        Let's have people choose: {first_option} or {second_option}.
        What does the crowd want, {first_option} or {second_option}? Make a poll.
        survey with two answers, {first_option} and {second_option}
        I'd like a vote on {first_option} versus {second_option} now.
        Everybody should pick either {first_option} or {second_option}.
        open a ballot: {first_option}, {second_option}
        Find out by vote if we eat {first_option} or {second_option}.
    """),
    "expense": _requests("""
        I want {amount} back for {category}.
        ~claim {amount} for {category}
        {category} {amount} expense
        expense claim, {category}, {amount} please
        The company owes me {amount} for {category}.
        My {category} cost {amount}, reimburse me.
        ~submit {amount} spent on {category}
        receipt: {category}, {amount}
        I had to pay {amount} for {category} on the business trip.
        put down {amount} for {category} on my expenses now
        Out of my own pocket: {amount}, {category}. File it.
        Could work pay me back {amount}? It was for {category}.
        business cost of {amount}, category {category}
        Please book {amount} under {category} in the expense report.
        i laid out {amount} for {category} today
    """),
    "meeting_room": _requests("""
        We need {hall} at {time}.
        ~block the room {hall} from {time} for {hours} hours
        {hall} at {time}, {hours} hours
        meeting room {hall} {time} please
        Can my team have room {hall} at {time}?
        The client comes at {time}, so get us room {hall}.
        ~secure the conference room {hall} for {time}
        conference room {hall}, {time}, {hours}h
        I'd like to sit in room {hall} at {time} for {hours} hours.
        Room {hall} must be ours at {time}.
        Is {hall} available at {time}? If so, take it for our meeting.
        office room {hall} from {time}, for {hours} hours now
        Let's hold the workshop in room {hall}, starting {time}. Book that.
        our meeting is at {time}, put us in {hall}
        Keep room {hall} for me at {time}.
    """),
    "log_hours": _requests("""
        ~book {hours} hours on {company}
        {company}: {hours} hours
        {hours}h {company} please
        My time on the {company} project was {hours} hours, record it.
        ~enter {hours} hours of work for {company}
        Client {company}, time spent {hours} hours.
        hours worked: {hours} ({company})
        Put me down for {hours} hours on the project {company}.
        I was busy with {company} for {hours} hours, note that in my timesheet.
        track {hours} hours for {company} now
        Could you write {hours} working hours to {company}?
        It took me {hours} hours to finish the stuff for {company}. Log it.
        worked on {company} {hours} h
        Add today's {hours} hours for client {company}.
    """),
    "send_invoice": _requests("""
        {company} owes us {amount}, send the bill.
        ~charge {company} {amount}
        ~write {company} a bill over {amount}, payable by {date}
        bill: {company}, {amount}
        We finished the job for {company}; invoice them {amount}.
        The customer {company} has to pay {amount} until {date}.
        {amount} invoice to {company} please
        Let {company} get an invoice for {amount} due {date}.
        Could you prepare a bill for {company}? The sum is {amount}.
        invoice for {company}, total {amount}, due {date} now
        I'd like to charge {company} {amount} for my work.
        Issue an invoice: customer {company}, {amount}.
        our client {company} should be billed {amount}
        Time to collect {amount} from {company}, make the invoice.
        Make {company} pay {amount} by {date}, send an invoice.
    """),
    "print_file": _requests("""
        ~put {file} on paper {ink}
        printer: {file}
        {copies} copies of {file} please
        {file} {ink}, {copies} copies
        Could I get {file} as a printout {ink}?
        My boss wants {file} printed {copies} times.
        ~run off {copies} copies of {file} {ink}
        hard copy of {file} now
        Please get {file} out of the printer.
        I'd like {copies} printouts of {file}.
        print out {file} {ink}
        Hand out {file} in the meeting, so print {copies}.
        Give me a paper version of {file}.
        let the printer do {file}, {copies} times, {ink}
    """),
    "colleague": _requests("""
        Who is this {name} in our company?
        which team is {name} on
        ~look {name} up in the staff directory
        staff: {name}
        What is {name}'s role in the company?
        I have a meeting with {name}. What do they do here?
        department of {name} please
        Does {name} work for us?
        In which department can I find {name}?
        ~find my coworker {name} in the directory
        Who does {name} report to?
        {name} desk?
        What position does {name} hold now?
        I'm new here, tell me about my colleague {name}.
        where does {name} sit in the office
    """),
    "user_lookup": _requests("""
        Who is user number {id}?
        ~fetch the record of user {id}
        uid {id}
        id {id}, which user please
        What do we know about the customer with user id {id}?
        show user #{id}
        I need the profile of user {id} now.
        Which account hides behind id {id}?
        ~pull up account number {id}
        user record {id}
        A complaint came from user {id}; who is that?
        Could you get the details for user id {id}?
        find the user with number {id}
        Look into the database for user {id}.
        profile {id}
    """),
    "user_create": _requests("""
        {name} starts today, mail {email}. Make an account.
        ~open an account for {name}, {email}
        {name} needs access as {role}, address {email}
        Give {name} a login please, email {email}.
        Could {name} get an account? The email is {email}, role {role}.
        ~set {name} up with the email {email} and the role {role}
        account: {name}, {email}, {role}
        We hired {name} ({email}). Create a login.
        Let {name} into the system as {role}, {email}.
        please make {name} a user, mail address {email}
        Our new colleague {name} can be reached at {email}, add the account now.
        I'd like {name} registered with {email}.
        invite {name} at {email} as {role}
        A user with the name {name} and the email {email}, please.
    """),
    "user_disable": _requests("""
        {login} quit today, no more access.
        ~shut off the account {login}
        ~revoke access for {login} please
        suspend {login}
        User {login} is a spammer, kick them out.
        account {login}: deactivate
        The account {login} must be closed now.
        Don't let {login} in any more.
        Could the login {login} be switched off?
        {login} was fired, block the account
        I want the user {login} disabled.
        Please make {login}'s account inactive.
        Somebody hacked {login}, close it down.
        remove access of {login}
    """),
    "password_reset": _requests("""
        I'm locked out, my address is {email}.
        ~send a new password to {email}
        forgot password {email}
        {email} needs a fresh password please
        Someone with {email} can't remember the password.
        Could {email} get a new password?
        new password for {email} now
        ~let {email} choose another password
        The login for {email} doesn't work, reset it.
        My password is gone, account {email}.
        user {email} lost the password
        Send a password link to {email}.
        I can't sign in any more as {email}, help.
        reset login {email}
        The customer {email} wants a different password, start a reset.
    """),
    "make_password": _requests("""
        Invent a password for me, {length} characters.
        ~think up a secret of {length} characters {symbols}
        pw {length}
        password, {length} long, {symbols} please
        I need something nobody can guess, {length} characters {symbols}.
        My new account wants a password with {length} characters.
        ~create a {length}-character password {symbols}
        Could you come up with a secure password of length {length}?
        strong password of {length} signs {symbols}
        I'd like {length} random characters as a password now.
        Suggest a password, length {length}.
        gimme a safe password {length} characters {symbols}
        What would be a good password of {length} characters?
        Generate login secrets, {length} letters long, {symbols}.
    """),
    "ticket_create": _requests("""
        Something is broken: {bug}. Report it.
        ~raise a {priority} ticket about "{bug}"
        issue "{bug}" {priority}
        new ticket, {bug}
        Please report this bug to the developers: {bug}
        Customers complain: {bug}. Make a ticket.
        Could you open a bug report? It's "{bug}", {priority} priority.
        bug report: {bug}
        Support should know that "{bug}", so file a ticket.
        I'd like this fixed: {bug}
        put in a ticket with priority {priority}: {bug}
        Our tracker needs a new entry: "{bug}"
        We've got a problem, {bug}, create an issue
        report "{bug}" as {priority} please
    """),
    "ticket_close": _requests("""
        {ticket} is solved, shut it.
        ~resolve {ticket} as {resolution}
        {ticket} {resolution}
        ticket {ticket} done
        We can be finished with ticket {ticket} now.
        Set {ticket} to closed please, {resolution}.
        The problem in {ticket} went away. Close.
        issue {ticket} can be closed as {resolution}
        ~shut ticket {ticket}
        Nobody needs ticket {ticket} open any longer.
        resolved: {ticket} ({resolution})
        Could ticket {ticket} be closed? It was {resolution}.
        I'm through with ticket {ticket}.
        Mark {ticket} {resolution}, end of story.
        finish off ticket {ticket} today
    """),
    "ticket_assign": _requests("""
        {name} should look at {ticket}.
        ~hand {ticket} over to {name}
        {ticket} for {name} please
        {ticket}: {name}
        Who does {ticket}? Let it be {name}.
        make {name} responsible for ticket {ticket}
        {name} will take care of ticket {ticket}, assign it.
        ~pass ticket {ticket} on to {name}
        Could {name} get {ticket}?
        I want {name} on ticket {ticket} now.
        Put {name} in charge of {ticket}.
        owner of {ticket} = {name}
        The issue {ticket} belongs to {name} from today.
        move ticket {ticket} to {name}
        My ticket {ticket} can go to {name}.
    """),
    "deploy": _requests("""
        {service} {version} is ready, take it live.
        ~push {service} {version} out to {env}
        ~roll out {service} version {version}
        {service} {version} {env}
        put {version} of {service} live on {env} now
        Let's get {service} at {version} on {env}.
        We want users to have {service} {version}, release it please.
        Could {version} of {service} go to {env}?
        rollout {service} {version}
        I'd like {service} upgraded to {version} in {env}.
        Install {version} of our {service} on {env}.
        time to publish {service} {version}
        Bring {version} of {service} to {env} today.
        {env} should run {service} {version}
        Launch {service} in version {version}.
    """),
    "rollback": _requests("""
        The new {service} is broken, go back.
        ~revert {service}
        {service} rollback please
        undo release of {service}
        The last update killed {service}, return to the old one.
        I want yesterday's {service} back.
        ~return {service} to its earlier version
        Please take back the update of {service} now.
        previous version of {service}
        Could we revert {service} to how it was?
        {service} was better before, switch back
        Customers hate the new {service}. Old version please.
        reverse the deployment of {service}
        Our {service} release was a mistake, undo it.
        Put the former version of {service} in place.
    """),
    "restart_service": _requests("""
        {service} is stuck, kick it.
        ~reboot {service}
        ~bounce {service} on {host} please
        {service} restart
        {service} froze on {host}, give it a fresh start
        Have you tried turning {service} off and on again? Do it.
        relaunch {service} now
        Could {service} be started anew on {host}?
        Our {service} doesn't respond, start it again.
        cycle {service} on {host}
        I'd like {service} stopped and started.
        Bring {service} on {host} back to life.
        {service} needs a kick
        Do a restart of {service} on {host} today.
        start over with {service}
    """),
    "logs": _requests("""
        What has {service} been writing?
        ~tail {service}
        ~dig out {count} {level} messages of {service}
        {service} logs {level}
        {service} log please
        Something is odd with {service}, print {count} lines of its log.
        Any {level} entries from {service}?
        I need the newest {count} lines {service} wrote.
        log of {service} now
        Why did {service} crash? Look in the logs.
        recent output of {service}, {count} lines
        Show {level} messages from my {service}.
        Let me read {count} lines from the {service} log.
        Could I see what {service} logged today?
        {count} log entries, {service}, level {level}
    """),
    "metrics": _requests("""
        How is {host} doing on {metric}?
        {host} {metric}
        ~see the {metric} figures for {host}
        {metric} of {host} please
        Is {metric} on {host} too high?
        give me the {metric} number of {host} now
        I'm worried about {metric} on {host}.
        monitoring: {metric}, {host}
        What value does {metric} have on machine {host}?
        ~report {metric} for {host}
        Are we fine with {metric} on {host} today?
        {metric} usage on {host}
        The alert mentions {host}. How's its {metric}?
        Could you look at the {metric} of server {host}?
        current {metric}, {host}
    """),
    "ping_host": _requests("""
        Is {host} alive?
        ping {host}
        ~see whether {host} responds
        {host} reachable?
        I can't connect to {host}, is it still there?
        Does the machine {host} answer please?
        is the box {host} online now
        ~test the connection to {host}
        Someone says {host} died. Is that so?
        Hello {host}, anybody home? Try it.
        {host} alive
        Can one reach the server {host} today?
        Poke {host} and tell me if it replies.
        check if {host} is on
    """),
    "dns_lookup": _requests("""
        What's the IP of {domain}?
        {domain} ip
        ~find the address behind {domain}
        ip address for {domain} please
        To which server does {domain} resolve?
        I need the numeric address of {domain} now.
        Which IP belongs to {domain}?
        ~look up the IP of the domain {domain}
        dns record of {domain}
        Does {domain} resolve, and to what?
        On what IP does {domain} live?
        translate the domain {domain} to an ip
        Could you query DNS about {domain}?
        Ask the name server for {domain}.
    """),
    "scale_service": _requests("""
        {service} is overloaded, make it {count} replicas.
        ~grow {service} to {count} copies
        {service} x{count}
        {service} {count} replicas please
        We need {count} of {service} running.
        Black Friday is coming: {count} instances for {service}.
        ~have {service} run on {count} replicas now
        replicas of {service} = {count}
        I'd like {service} with {count} pods.
        How about {count} copies of {service}?
        too much traffic, {service} should get {count} instances
        Resize {service} to {count} instances today.
        set the number of {service} replicas to {count}
        Let {count} workers of {service} run.
        Could our {service} have {count} instances?
    """),
    "backup": _requests("""
        I don't want to lose {folder}.
        ~archive {folder} {packed}
        ~secure a copy of {folder} please
        {folder} backup {packed}
        safe copy of {folder} now
        Make sure that {folder} is backed up.
        Before the update, copy {folder} to a safe place.
        My work is in {folder}, back that up {packed}.
        Could {folder} be saved {packed}?
        back up {folder}
        Put {folder} in the backup today.
        I'd feel safer with a backup of {folder}.
        dump {folder} to the backup, {packed}
        Everything in {folder} should be saved in case the disk dies.
        snapshot of folder {folder} {packed}
    """),
    "run_tests": _requests("""
        Does {branch} pass?
        {branch} tests please
        ci {branch}
        I changed code on {branch}, see if anything breaks.
        check {branch} with the tests, {speed}
        ~execute the tests for {branch}, {speed}
        Did I break something on {branch}? Test it.
        test run on {branch} now: {speed}
        Let the suite run over {branch}.
        I'd like {branch} tested, {speed}.
        Could you kick off the tests of my branch {branch}?
        Will {branch} survive the test suite?
        Before merging, run tests on {branch}, {speed}
        unit tests, branch {branch}
    """),
    "merge_request": _requests("""
        {pr} is approved, merge.
        ~bring in pull request {pr}
        PR {pr} please merge
        I reviewed {pr} and it's fine, put it into main.
        Could pull request {pr} go in now?
        ~integrate PR number {pr}
        pull request {pr}: ok to merge
        Land PR {pr}.
        We want the changes from pull request {pr} in main.
        get {pr} into the main branch
        My pull request {pr} has two approvals. Merge!
        Let {pr} in, the review is done.
        Finish pull request {pr} by merging it today.
        i want the code of pr {pr} in main now
    """),
    "feature_flag": _requests("""
        Users should not wait: {action} the {feature} feature.
        ~{action} {feature} for our users
        {feature}: {action}
        flag {feature} {action} please
        I'd like to {action} the flag called {feature}.
        could we {action} {feature} now
        For the feature {feature}: {action} it.
        Marketing wants us to {action} the {feature} flag.
        Please {action} the feature named {feature}.
        {action} {feature} (feature flag)
        The {feature} experiment, {action} it today.
        We decided to {action} the toggle {feature}.
        go and {action} the {feature} toggle
        Would you {action} our {feature} feature?
        Feature switch {feature} - {action}
    """),
    "sql_query": _requests("""
        How big is the table {table}?
        count {table}
        ~tell me the number of {table} in our database
        number of {table} please
        Do we have many {table} from {country}?
        {table} {country} count
        How many entries are stored under {table} now?
        I need the total of {table} for {country}.
        ~query how many {table} come from {country}
        total {table}
        My report needs the count of {table}.
        How many {table} did {country} give us? Ask the database.
        size of {table} in the db
        Could you count {table} with country {country}?
        What's the row count of {table} today?
    """),
    "gpu_status": _requests("""
        Is gpu {gpu} busy?
        gpu {gpu}
        ~look at GPU {gpu} of {host}
        gpu {gpu} {host} load
        Can I use GPU {gpu} on {host} now?
        How full is the memory of gpu {gpu}?
        what is gpu {gpu} doing on {host}
        ~report the utilization of GPU {gpu}
        Who hogs GPU {gpu}? Show its load.
        vram on gpu {gpu} please
        Does graphics card {gpu} in {host} have room?
        I want to train something, is GPU {gpu} idle?
        state of card {gpu} at {host}
        Could you inspect gpu number {gpu}?
        memory and load for GPU {gpu}, machine {host}
    """),
    "cluster_status": _requests("""
        How's the cluster today?
        cluster ok?
        ~give me the health of our cluster
        Is everything fine with the machines?
        nodes?
        Did any node fail?
        Are there problems in the cluster now?
        How many nodes are alive?
        cluster health please
        I'd like an overview of the cluster.
        Is the whole cluster running smoothly?
        what state is our cluster in
        ~see if all the nodes are well
        Something seems wrong with the nodes, take a look.
        Can the cluster take more work, is it healthy?
    """),
    "submit_job": _requests("""
        {file} should run on the cluster.
        ~launch {file} with {gpus} GPUs
        ~send {file} off to the queue please
        I need {gpus} GPUs for {file}, queue it.
        Start my training script {file} on {gpus} GPUs.
        submit {file} now
        Could the cluster work on {file} tonight?
        schedule {file} as a job
        My experiment {file} wants {gpus} GPUs. Go.
        Let {file} run with {gpus} gpus on the cluster.
        new job: {file}
        Hand {file} to the scheduler, {gpus} GPUs.
        I'd like to have {file} computed on the cluster today.
        batch job please, {file}
    """),
    "cancel_job": _requests("""
        {job} hangs, end it.
        ~terminate job {job}
        job {job} stop
        ~take job {job} off the cluster please
        I started {job} with wrong settings, abort the job.
        Could you stop the running job {job}?
        scancel {job}
        Job {job} eats all our GPUs. Kill it now.
        no need for job {job} any more
        end job {job}
        My job {job} can be terminated.
        Please pull the plug on job {job}.
        Get rid of job number {job}, it is useless.
        the job {job} should not continue
        Abort {job} on the cluster today.
    """),
    "model_list": _requests("""
        What models do you have?
        ~show the models that are up
        which llms are running now
        Anything loaded on the inference server?
        I want to choose a model. Which are there?
        What can the server serve at the moment?
        ~enumerate the loaded models
        loaded models?
        Tell me which language models are ready.
        Do we serve any model today?
        What's in the server's memory, which models?
        models currently up
        Could I see a list of my loaded models?
        is a model up that i could talk to
        Which models may I use right now?
    """),
    "load_model": _requests("""
        I want to chat with {model}, start it.
        ~fire up {model} with {dtype}
        {model} {dtype}
        ~make {model} ready on the server
        serve {model} please
        Could the server have {model} loaded as {dtype}?
        We need {model} in memory now.
        start {model} using {dtype} weights
        Switch to the model {model}, {dtype}.
        get {model} running
        I'd like to use {model} today, load it in {dtype}.
        Put {model} on the GPU.
        model {model}, precision {dtype}, load
        Launch the model {model} for me.
        Let's try {model} with {dtype} precision.
    """),
    "generate_image": _requests("""
        I'd love to see {picture}
        ~sketch {picture}
        ~make a {size} drawing that shows {picture}
        picture please: {picture}
        {size} image, {picture}
        Imagine {picture} and draw it.
        Could you illustrate "{picture}" for my blog?
        art: {picture}
        Create some artwork, {size}, showing {picture}
        For my wall I want a painting of {picture}
        visualize {picture}
        Please design a {size} illustration: {picture}
        My daughter wants a drawing of {picture}
        render {picture} now
        What would {picture} look like? Draw it.
    """),
    "transcribe": _requests("""
        I need {audio} as text.
        ~type up {audio}
        {audio} to text
        speech to text {audio} {language}
        My interview is in {audio}, put it in writing please.
        Someone speaks {language} in {audio}. Write it out.
        ~make a transcript from {audio}, spoken in {language}
        What is being said in {audio}?
        written version of {audio} now
        I can't listen to {audio}, give me the words.
        Could you turn the voice memo {audio} into text?
        transcription: {audio}, {language}
        The recording {audio} is in {language}; I want it as text.
        Listen to {audio} and write the words down.
        the words spoken in {audio} please
    """),
    "sensor_read": _requests("""
        What does the {kind} sensor in the {room} show?
        {kind} {room}
        ~get a {kind} reading from the {room}
        sensor {room} {kind} please
        Is the {kind} in the {room} normal?
        I'd like the {kind} value for my {room} now.
        how much {kind} do we have in the {room}
        Something's off in the {room}. What's the {kind}?
        ~see what {kind} the {room} has
        {room} sensor: {kind}?
        Tell me about {kind} in the {room} today.
        Current {kind} inside the {room}?
        Could you take a measurement of {kind} in the {room}?
        the level of {kind}, {room}
        Any unusual {kind} in the {room}? Read the sensor.
    """),
    "stop_machine": _requests("""
        Machine {machine} is smoking!
        ~switch off machine {machine}
        machine {machine} stop
        emergency stop {machine}
        ~turn machine {machine} off at once
        Somebody is caught in machine {machine}, halt it!
        Machine {machine} makes strange noises, stop it please.
        kill machine {machine} now
        Number {machine} in the factory has to stand still.
        We must service machine {machine}, so shut it down.
        Could you stop the production on machine {machine}?
        machine no. {machine} off
        I want machine {machine} to stop running.
        Cut the power to machine {machine}.
        no more parts from machine {machine}, halt
    """),
    "match_score": _requests("""
        {team} result?
        How did the {team} game end?
        ~find out how the {team} played
        score {team}
        I missed the match, did the {team} win or lose?
        who won, the {team} or the others
        What was the final result for the {team} today?
        {team} match please
        How many goals did the {team} get?
        My team, the {team}, played. What's the result?
        ~look up the latest result of the {team}
        did the {team} lose again
        Tell me how it went for the {team} yesterday.
        goals in the {team} game?
        By how much did the {team} win?
    """),
    "standings": _requests("""
        Are the {team} top of the league?
        {team} rank
        ~see what place the {team} are on
        league table {team}
        Which place do the {team} hold this season?
        How high are the {team} in the standings now?
        standing of the {team} please
        Will the {team} be champions? What place are they?
        I'd like to know the league position of the {team}.
        what rank do my {team} have
        ~find the {team} in the league table
        Are the {team} last in the league?
        where do the {team} rank
        On what spot are the {team} this year?
        The {team} in the league, which place?
    """),
    "log_workout": _requests("""
        I just did {minutes} minutes of {activity}.
        ~note down {minutes} minutes of {activity}
        {activity} {minutes}
        {minutes} min {activity} done
        Sweaty! {activity}, {minutes} minutes, write it down.
        ~save my {activity} session of {minutes} minutes
        Today's sport: {activity} for {minutes} minutes please.
        fitness log: {activity}, {minutes} minutes
        I went {activity} for {minutes} minutes, record that.
        Put {minutes} minutes {activity} in my fitness diary now.
        My exercise was {activity}, it lasted {minutes} minutes.
        Could you log some {activity}? {minutes} minutes.
        track workout: {minutes} minutes {activity}
        After {minutes} minutes of {activity} I'm exhausted, add it to my training.
        exercise {activity} for {minutes} min
    """),
    "steps": _requests("""
        How much did I walk {day}?
        ~count my steps for {day}
        step count {day}
        my steps {day} please
        Did I reach ten thousand {day}? Steps please.
        how many steps did i do {day}
        What does my pedometer say for {day}?
        Was I lazy {day}? Show my steps.
        pedometer {day}
        I want to know how many steps I took {day}.
        ~see how many steps I made {day}
        walked {day}?
        My step total {day}?
        Number of steps I managed {day}
        Have I been on my feet a lot {day}? How many steps?
    """),
    "doctor": _requests("""
        I have to see a {kind} {day}.
        {kind} {day} please
        ~arrange a visit to the {kind} for {day}
        It hurts, can a {kind} see me {day}?
        Does the {kind} have time for me {day}?
        checkup with the {kind} {day}
        My child needs a {kind} {day}.
        need a {kind} asap, {day} if possible
        Make me an appointment, {kind}, {day}.
        I'd like a {kind} to have a look {day}.
        slot with a {kind} {day}
        Could I come to the {kind} {day}? Schedule it.
        Please set up a {kind} appointment for {day}.
        When the {kind} is free {day}, put me in.
    """),
    "pharmacy": _requests("""
        I'm out of pills, prescription {rx}.
        ~reorder prescription {rx}
        rx {rx}
        {rx} refill please
        My medicine from {rx} is used up.
        Could I have more of the medication on prescription {rx}?
        ~get prescription {rx} filled again
        again the same tablets, {rx}
        I need more of prescription {rx} now.
        Tell the pharmacy to prepare {rx}.
        prescription {rx} once more
        The tablets on {rx} ran out today, refill.
        Please have my meds {rx} renewed.
        pharmacy: {rx}
        I'd like another pack on prescription {rx}.
    """),
    "qr_code": _requests("""
        People should scan and land on {url}.
        ~turn {url} into a QR code
        qr {url}
        {url} as qr please
        I want {url} on my flyer as a scannable code.
        Could you encode {url} as a QR code?
        ~produce a scannable code for {url}
        QR code, target {url}
        Make {url} scannable for phones.
        My business card needs a QR for {url}.
        a square code leading to {url} now
        Put the address {url} in a QR code.
        generate qr: {url}
        Customers shall scan their way to {url}, make the code.
        I'd like some QR code with {url} in it.
    """),
    "shorten_link": _requests("""
        {url} is way too long.
        ~cut {url} down to a short link
        short {url}
        {url} shorter please
        I need a tiny link for {url}.
        Could you abbreviate {url}?
        ~create a short address for {url}
        tiny url for {url} now
        My tweet has no space for {url}, make it compact.
        short link: {url}
        Nobody can type {url}. Give me something short.
        compress the address {url}
        I'd like a brief link instead of {url}.
        Turn {url} into a mini link.
        link shortener, {url}
    """),
    "library_book": _requests("""
        I'd like to read {title}, does the library own it?
        ~search the library catalog for {title}
        library {title} {author}
        {title} by {author}, can i borrow it
        Is {title} available for lending?
        Can I check out {title} from the library today?
        do you have {title} on your shelves
        ~see if {title} by {author} is available at the library
        My daughter needs {title} for school. Is it at the library?
        catalog: {title}
        Has somebody borrowed {title} from the library?
        I'm looking for a book, {title}, written by {author}.
        borrow {title} please
        Does our library carry {title} by {author}?
        Which shelf holds the book {title}?
    """),
    "event_tickets": _requests("""
        {count} of us want to see the {event}.
        ~buy {count} seats for the {event}
        {event} x {count} tickets
        {count} tickets {event} please
        I'd like to take my friends to the {event}, {count} tickets.
        Are there seats for the {event}? Buy {count}.
        ~purchase {count} passes to the {event}
        admission for {count} to the {event}
        We'd love to attend the {event}; get {count} tickets now.
        Could I buy {count} entries for the {event}?
        tickets, {event}, {count}
        My family of {count} wants into the {event}.
        Let's go to the {event}! {count} tickets.
        {count} seats, {event}, online
        Book {count} places at the {event} for us today.
    """),
    "feed_pet": _requests("""
        {pet} is hungry, {grams} grams.
        ~serve {pet} {grams} grams
        {pet} {grams} g food
        ~fill the bowl of {pet} with {grams} grams
        My cat {pet} wants {grams} grams now.
        dinner for {pet}, {grams} grams please
        Could the feeder put out {grams} grams for {pet}?
        {pet} hasn't eaten today, give {grams} g.
        I'm not home; feed {pet} {grams} grams.
        meal: {pet}, {grams} grams
        Let {pet} have {grams} grams of kibble.
        {grams} grams into the bowl of {pet}
        Time to eat, {pet}! {grams} grams.
        feed my dog {pet} with {grams} g
        Please drop {grams} grams of food for {pet}.
    """),
    "grade": _requests("""
        What mark did {name} get in {subject}?
        {name} {subject} grade
        ~see how {name} did in {subject}
        {subject} mark for {name} please
        Was {name} good in {subject} this term?
        I'm {name}'s father. How is the {subject} grade?
        ~check which grade {name} has in {subject}
        grades: {name} / {subject}
        Has {name} failed {subject}?
        what did {name} score in {subject}
        Tell me the {subject} result of my student {name}.
        Is {name} a good student in {subject}? Show the mark.
        How well did {name} do in {subject} now?
        {name}'s {subject} mark
        I'd like to know {name}'s grade for {subject}.
    """),
    "enroll": _requests("""
        {name} wants to learn {subject}.
        {subject}: add {name}
        {name} into {subject} please
        Please give {name} a seat in the {subject} course.
        Could {name} join {subject}?
        ~get {name} a place in the {subject} course
        new student {name}, course {subject}
        I want my son {name} to take {subject}, register him.
        {name} has chosen {subject}, put that in now.
        course {subject}, participant {name}
        Let {name} attend {subject}.
        The student {name} should be in {subject} from today.
        Enter {name} on the list for {subject}.
        register: {name}, {subject}
    """),
    "charging": _requests("""
        I need {percent} percent in the car by morning.
        ~load the car battery up to {percent}%
        car {percent}%
        ev charge {percent} please
        Plug is in, charge up to {percent} percent.
        My battery is nearly empty, go to {percent}%.
        ~top the car up to {percent} percent
        Could the car charge until {percent}%?
        {percent}% on the electric car now
        Stop charging the car at {percent} percent.
        charge limit {percent}
        I'd like my EV filled up to {percent} percent.
        Let the car load until it has {percent}%.
        power up the car, {percent} percent
        Juice up my car to {percent}% tonight.
    """),
    "car_location": _requests("""
        Where on earth is {plate}?
        {plate} location
        position of {plate} please
        I can't find my car {plate}.
        Which street is {plate} parked in?
        ~show where {plate} is standing now
        my son took the car {plate}, where is he
        Where did we park the car with plate {plate}?
        locate vehicle {plate}
        The parking lot is huge; where's {plate}?
        car {plate}, where
        I'd like to know the whereabouts of car {plate}.
        Has {plate} been stolen? Where is that car?
        Find our van, license plate {plate}, today.
    """),
    "elevator": _requests("""
        I don't want to take the stairs, floor {floor} please.
        ~bring the lift to floor {floor}
        elevator {floor}
        ~have the elevator come to floor {floor}
        Pick me up on floor {floor} with the lift.
        we are standing on floor {floor}, lift please
        Could the elevator come to floor {floor} now?
        lift {floor}
        My suitcase is heavy and I'm on floor {floor}. Elevator!
        Get the lift up here, floor {floor}.
        The elevator is needed on floor {floor}.
        someone waits for the lift on {floor}
        I'd like the elevator at level {floor}.
        Move the lift to floor {floor} today.
        floor {floor}, elevator
    """),
    "subscribe": _requests("""
        {email} would like your news.
        ~put {email} on the mailing list
        newsletter {email} {often}
        {email} newsletter please
        I want to stay informed, my address is {email}.
        Could {email} receive the {often} newsletter?
        ~add {email} to the {often} mailing list
        mailing list: {email}
        Please mail me the newsletter, {email}, {often}.
        sign me up, {email}, {often} edition
        I'd like the newsletter {often}, to {email}.
        Subscribe my address {email} now.
        {often} news to {email}
        Let {email} get your newsletter from today.
        Register {email} for newsletter mails.
    """),
}
