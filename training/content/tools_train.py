"""The kinds of tools the model is trained on: their names, how people ask for them, what they return."""

from __future__ import annotations

from dataclasses import replace

from training.content.tool_kinds import ToolKind, choice, flag, integer, lines, number, results, string

TOOLS: list[ToolKind] = [
    # Weather
    ToolKind(
        key="weather_now",
        domain="weather",
        names=("get_weather", "current_weather", "weather_now", "fetch_weather", "weather_lookup"),
        descriptions=lines("""
            Get the current weather in a city.
            Current weather conditions for a place.
            Returns temperature and conditions right now.
            Look up the weather.
        """),
        params=(
            string(
                "city location place town",
                "city",
                "The city.|Name of the city.|Where to look|City name, e.g. Paris",
            ),
            choice(
                "unit units temperature_unit",
                "unit",
                "Temperature unit.|Unit of the temperature",
                "celsius|fahrenheit",
                False,
            ),
        ),
        requests=lines("""
            What's the weather like in {city}?
            what is the weather in {city} right now
            How's the weather in {city} today?
            weather {city}
            Is it raining in {city} at the moment?
            How warm is it in {city}?
            I'm about to land in {city}. What is it like outside?
            do i need a coat in {city} right now?
            ~tell me the weather in {city}
            ~check the current weather in {city}
            ~look up the weather for {city} in {unit}
            What's the temperature in {city} in {unit}?
            Current temperature in {city}, {unit} please
            Weather report for {city}?
            {city} weather?
            My sister lives in {city}. How hot is it there now?
        """),
        pairs=lines("""
            What's the weather in {city} and in {city2}?
            Compare the weather in {city} with the weather in {city2}.
            weather for {city} and {city2} please
            Is it warmer in {city} or in {city2} right now?
            ~check the weather in both {city} and {city2}
        """),
        results=results("""
            {"temperature": {t:-12..38}, "condition": "{sky}"} => It is {t} degrees and {sky} in {city}.
            {"city": "{city}", "temp": {t:-12..38}, "humidity": {h:20..99}} =>\
                It is {t} degrees in {city}, with a humidity of {h}%.
            {"conditions": "{sky}"} => It is {sky} in {city}.
        """),
    ),
    ToolKind(
        key="forecast",
        domain="weather",
        names=("get_forecast", "weather_forecast", "forecast", "predict_weather"),
        descriptions=lines("""
            Weather forecast for a city on a given day.
            Get the forecast for a coming day.
            What the weather will be like later.
        """),
        params=(
            string("city location place", "city", "The city.|Which city|Place to forecast"),
            string("day date when", "day", "The day.|Day of the forecast|Which day"),
        ),
        requests=lines("""
            What will the weather be in {city} {day}?
            Will it rain in {city} {day}?
            forecast for {city} {day}
            Is it going to snow in {city} {day}?
            We are planning a picnic in {city} {day}. What does the forecast say?
            ~give me the forecast for {city} for {day}
            ~check the forecast for {day} in {city}
            how warm will it get in {city} {day}
            Should I bring an umbrella to {city} {day}?
            What kind of weather can I expect in {city} {day}?
            {day} in {city}, sun or rain?
            I fly to {city} {day}, what's the forecast?
        """),
        pairs=lines("""
            What's the forecast for {city} {day} and for {city2} {day2}?
            Will it rain in {city} {day} and in {city2} {day2}?
        """),
        results=results("""
            {"high": {hi:5..38}, "low": {lo:-10..15}, "sky": "{sky}"} =>\
                The forecast for {city} is {sky}, between {lo} and {hi} degrees.
            {"rain_chance": {p:0..100}} => The chance of rain in {city} is {p}%.
        """),
    ),
    ToolKind(
        key="air_quality",
        domain="weather",
        names=("air_quality", "get_air_quality", "aqi_lookup", "pollution_level"),
        descriptions=lines("""
            Air quality index of a city.
            How clean the air is in a place.
            Get the pollution level.
        """),
        params=(string("city location area", "city", "The city.|City to measure|Where"),),
        requests=lines("""
            How is the air quality in {city}?
            air quality index {city}
            Is the air clean in {city} today?
            How polluted is {city} right now?
            ~check the air quality for {city}
            ~look up the pollution level in {city}
            Can I go running in {city}, or is the air too dirty?
            what's the aqi in {city}
            I have asthma. Is the air in {city} ok?
            smog levels in {city}?
            How bad is the smog in {city}?
        """),
        pairs=lines("""
            Is the air cleaner in {city} or in {city2}?
            air quality in {city} and {city2}
        """),
        results=results("""
            {"aqi": {n:5..300}} => The air quality index in {city} is {n}.
            {"aqi": {n:5..300}, "level": "{level:good|moderate|poor|very poor}"} =>\
                The air in {city} is {level}, with an index of {n}.
        """),
    ),
    ToolKind(
        key="sunrise",
        domain="weather",
        names=("sun_times", "get_sunrise_sunset", "sunrise_sunset", "daylight"),
        descriptions=lines("""
            Times of sunrise and sunset in a city.
            When the sun rises and sets.
        """),
        params=(
            string("city location", "city", "The city.|Where"),
            string("date day", "date", "The date.|For which date", False),
        ),
        requests=lines("""
            When does the sun rise in {city}?
            What time is sunset in {city}?
            when is sunrise in {city} on {date}
            ~tell me when the sun sets in {city}
            ~look up sunrise and sunset for {city} on {date}
            sunset {city}
            How long is it light in {city}?
            At what time does it get dark in {city}?
            I want to photograph the sunrise in {city} on {date}. When is it?
            When will it get light in {city}?
        """),
        results=results("""
            {"sunrise": "{u:4..7}:{v:10..59}", "sunset": "{w:16..21}:{x:10..59}"} =>\
                In {city} the sun rises at {u}:{v} and sets at {w}:{x}.
        """),
    ),
    # Time
    ToolKind(
        key="time_in_city",
        domain="time",
        names=("get_time", "current_time", "time_in_city", "world_clock", "local_time"),
        descriptions=lines("""
            Current local time in a city.
            Tells what time it is somewhere.
            World clock.
        """),
        params=(string("city location place", "city", "The city.|Where|City to get the time for"),),
        requests=lines("""
            What time is it in {city}?
            what's the time in {city} now
            time in {city}
            Is it already morning in {city}?
            ~tell me the local time in {city}
            ~check what time it is in {city}
            I want to call my aunt in {city}. What time is it there?
            current time {city}?
            Do you know how late it is in {city}?
            how late is it in {city}
            Are the people in {city} still awake at this hour?
        """),
        pairs=lines("""
            What time is it in {city} and in {city2}?
            time in {city} and {city2}
            ~tell me the local time in {city} and in {city2}
        """),
        results=results("""
            {"time": "{clock:time}"} => It is {clock} in {city}.
            {"local_time": "{clock:time}", "weekday": "{wd:weekday}"} => It is {wd}, {clock}, in {city}.
        """),
    ),
    ToolKind(
        key="convert_time",
        domain="time",
        names=("convert_time", "time_zone_convert", "translate_time", "shift_time_zone"),
        descriptions=lines("""
            Convert a time of day from one city to another.
            Time zone conversion between two places.
        """),
        params=(
            string("time at", "time", "The time.|Time of day to convert"),
            string("from_city source origin", "origin:city", "City of the given time.|From where"),
            string("to_city target destination", "target:city", "City to convert to.|To where"),
        ),
        requests=lines("""
            If it is {time} in {origin}, what time is it in {target}?
            ~convert {time} in {origin} to {target} time
            {time} {origin} time is when in {target}?
            When it's {time} in {origin}, how late is it in {target}?
            The call is at {time} {origin} time. When is that in {target}?
            what is {time} in {origin} in {target} time
            ~tell me what {time} in {origin} means for someone in {target}
            A webinar starts at {time} in {origin}, when do people in {target} join?
            {origin} {time} to {target}
            i have a meeting at {time} {origin} time and i am in {target}, when is it for me
        """),
        results=results("""
            {"converted": "{clock:time}"} => That is {clock} in {target}.
        """),
    ),
    ToolKind(
        key="days_until",
        domain="time",
        names=("days_until", "count_days", "days_left", "date_countdown"),
        descriptions=lines("""
            Number of days until a date.
            Counts the days left before a date.
        """),
        params=(string("date target_date day", "date", "The date.|Date to count to"),),
        requests=lines("""
            How many days until {date}?
            how long is it until {date}
            days left until {date}
            ~count the days until {date}
            ~tell me how many days are left before {date}
            {date} is how many days away?
            My exam is on {date}. How many days do I have?
            Countdown to {date}?
            How far away is {date}?
            when you count from today, how many days to {date}
        """),
        results=results("""
            {"days": {n:1..364}} => There are {n} days until {date}.
        """),
    ),
    ToolKind(
        key="weekday_of",
        domain="time",
        names=("weekday_of", "day_of_week", "get_weekday"),
        descriptions=lines("""
            The weekday on which a date falls.
            Day of the week of a date.
        """),
        params=(string("date", "date", "The date.|Calendar date"),),
        requests=lines("""
            What day of the week is {date}?
            Which weekday does {date} fall on?
            is {date} a monday
            ~tell me the weekday of {date}
            ~find out which day of the week {date} is
            On what weekday is {date}?
            {date}, what weekday is that
            Does {date} fall on a weekend?
            weekday of {date}
            I was born on {date}. What day of the week was that?
        """),
        results=results("""
            {"weekday": "{wd:weekday}"} => {date} is a {wd}.
        """),
    ),
    # Numbers
    ToolKind(
        key="calculator",
        domain="math",
        names=("calculator", "calculate", "evaluate", "eval_expression", "compute"),
        descriptions=lines("""
            Evaluate an arithmetic expression.
            A calculator.
            Computes the value of an expression.
            Do maths.
        """),
        params=(
            string(
                "expression expr input formula",
                "expression",
                "The expression.|What to compute|Expression to evaluate",
            ),
        ),
        requests=lines("""
            ~calculate {expression}
            ~compute {expression}
            ~evaluate {expression}
            ~work out {expression} with the calculator
            Use the calculator: {expression}
            {expression} = ?
            What does {expression} come to?
            What is {expression}?
            how much is {expression}
            i need the result of {expression}
            Put {expression} into the calculator for me.
            Value of {expression}?
        """),
        pairs=lines("""
            What are {expression} and {expression2}?
            ~calculate {expression} and also {expression2}
            compute both: {expression} and {expression2}
        """),
        results=results("""
            {"result": {n:-500..9000}} => The result is {n}.
            {"value": {n:0.1..999.9}} => The value is {n}.
        """),
    ),
    ToolKind(
        key="unit_convert",
        domain="math",
        names=("convert_units", "unit_converter", "convert_measure", "unit_convert"),
        descriptions=lines("""
            Convert a quantity between units.
            Converts units of length, weight, volume and temperature.
        """),
        params=(
            number("value amount quantity", "amount:0.5..900.5", "The quantity.|Number to convert"),
            string(
                "from_unit source_unit unit_from",
                "source:miles|kilometers|pounds|kilograms|inches|meters|feet|ounces|liters|gallons|cups|"
                "yards",
                "Unit of the value.|From unit",
            ),
            string(
                "to_unit target_unit unit_to",
                "target:kilometers|miles|kilograms|pounds|centimeters|feet|meters|grams|gallons|liters|"
                "milliliters|inches",
                "Unit wanted.|To unit",
            ),
        ),
        requests=lines("""
            ~convert {amount} {source} to {target}
            ~turn {amount} {source} into {target}
            How many {target} are {amount} {source}?
            {amount} {source} in {target}
            What is {amount} {source} in {target}?
            i have {amount} {source}, how much is that in {target}
            how much is {amount} {source} in {target}?
            The recipe says {amount} {source}, but I think in {target}.
            {amount} {source} to {target} please
            Express {amount} {source} in {target}.
            I need {amount} {source} as {target}.
        """),
        pairs=lines("""
            ~convert {amount} {source} to {target} and {amount2} {source2} to {target2}
        """),
        results=results("""
            {"result": {n:0.01..990.99}, "unit": "{target}"} => That is {n} {target}.
        """),
    ),
    ToolKind(
        key="tip",
        domain="math",
        names=("tip_calculator", "calculate_tip", "split_bill", "compute_tip"),
        descriptions=lines("""
            Work out the tip on a restaurant bill.
            Tip and total of a bill.
        """),
        params=(
            number("bill total amount", "bill:8.00..240.00", "Amount of the bill.|The bill"),
            integer("percent tip_percent rate", "percent:5..25", "Tip in percent.|Percentage"),
            integer("people guests", "people:2..9", "How many people share.|Number of people", False),
        ),
        requests=lines("""
            What is a {percent}% tip on {bill}?
            The bill is {bill} and I want to tip {percent} percent.
            ~calculate a {percent} percent tip for a bill of {bill}
            tip {percent}% on {bill}
            ~split a bill of {bill} with {percent}% tip between {people} people
            We are {people} people and the bill is {bill}, tip {percent} percent. What does each pay?
            dinner was {bill}, add {percent}% tip
            How much tip is {percent}% of {bill}?
            Bill {bill}, tip {percent}%, {people} friends sharing
            I'd like to leave {percent}% on a bill of {bill}.
        """),
        results=results("""
            {"tip": {tip:0.50..60.00}, "total": {sum:9.00..300.00}} =>\
                The tip is {tip} and the total is {sum}.
        """),
    ),
    ToolKind(
        key="random_number",
        domain="math",
        names=("random_number", "random_int", "pick_number", "draw_random"),
        descriptions=lines("""
            Draw a random whole number between two bounds.
            Random integer from a range.
        """),
        params=(
            integer("min low start", "low:0..50", "Smallest number.|Lower bound"),
            integer("max high end", "high:51..1000", "Largest number.|Upper bound"),
        ),
        requests=lines("""
            ~pick a random number between {low} and {high}
            ~give me a random number from {low} to {high}
            ~draw a number between {low} and {high}
            random number {low}-{high}
            I need a random integer between {low} and {high}.
            Choose any number from {low} to {high}, at random.
            we are playing a guessing game, think of a number from {low} to {high}
            random {low} to {high} please
            Can I get a random value in the range {low} to {high}?
            Which number between {low} and {high} should I bet on? Pick one at random.
        """),
        results=results("""
            {"number": {n:0..1000}} => The number is {n}.
        """),
    ),
    ToolKind(
        key="roll_dice",
        domain="math",
        names=("roll_dice", "dice_roll", "throw_dice", "roll"),
        descriptions=lines("""
            Roll dice.
            Throws a number of dice with a number of sides.
        """),
        params=(
            integer("count dice number_of_dice", "count:2..6", "How many dice.|Number of dice"),
            integer("sides faces", "sides:4..20", "Sides of each die.|Number of sides", False),
        ),
        requests=lines("""
            ~roll {count} dice
            ~throw {count} dice for me
            ~roll {count} dice with {sides} sides each
            roll {count} {sides}-sided dice
            {count} dice please
            I need a roll of {count} dice.
            we lost our dice, could you throw {count} of them
            ~roll {count}d{sides}
            It's my turn. {count} dice!
            Give me a throw of {count} dice, {sides} sides.
        """),
        results=results("""
            {"total": {n:2..60}} => You rolled {n}.
            {"rolls": [{a:1..6}, {b:1..6}], "sum": {n:2..12}} => You rolled {a} and {b}, together {n}.
        """),
    ),
    ToolKind(
        key="flip_coin",
        domain="math",
        names=("flip_coin", "coin_flip", "toss_coin", "heads_or_tails"),
        descriptions=lines("""
            Flip a coin.
            Heads or tails.
        """),
        params=(),
        requests=lines("""
            ~flip a coin
            ~toss a coin for me
            heads or tails?
            flip a coin pls
            We can't decide. Heads or tails?
            ~throw a coin so we can decide
            coin toss
            Let a coin decide.
            I need a coin flip.
            let's settle this with a coin flip
        """),
        results=results("""
            {"side": "{side:heads|tails}"} => It came up {side}.
        """),
    ),
    ToolKind(
        key="loan_payment",
        domain="math",
        names=("loan_payment", "mortgage_calculator", "monthly_payment", "compute_loan"),
        descriptions=lines("""
            Monthly payment of a loan.
            Calculates what a loan or mortgage costs a month.
        """),
        params=(
            number(
                "principal amount loan", "amount:1000..900000", "Amount of the loan.|How much is borrowed"
            ),
            number(
                "rate interest interest_rate", "rate:0.5..9.5", "Yearly interest in percent.|Interest rate"
            ),
            integer("years term duration_years", "years:2..35", "Years to pay it back.|Term in years"),
        ),
        requests=lines("""
            What is the monthly payment on a loan of {amount} at {rate}% over {years} years?
            ~compute the monthly payment for {amount} at {rate} percent over {years} years
            i want to borrow {amount} for {years} years at {rate}%, what do i pay a month
            Mortgage of {amount}, {rate}% interest, {years} years. Monthly cost?
            ~work out the loan payment for {amount} at {rate}% for {years} years
            If I take out {amount} over {years} years with {rate} percent interest, how much is it monthly?
            loan {amount} rate {rate} years {years}
            How expensive is a {years} year loan of {amount} at {rate}%?
            The bank offers {amount} at {rate} percent for {years} years. What would I pay each month?
            Monthly rate for borrowing {amount}, {years} years, {rate}%?
        """),
        results=results("""
            {"monthly": {n:50.00..4000.00}} => The monthly payment is {n}.
        """),
    ),
    # Money
    ToolKind(
        key="currency",
        domain="money",
        names=("convert_currency", "currency_converter", "exchange", "fx_convert"),
        descriptions=lines("""
            Convert an amount of money between currencies.
            Currency conversion at today's rate.
        """),
        params=(
            number("amount value sum", "amount:price", "Amount of money.|How much"),
            string(
                "from_currency source base from",
                "source:currency",
                "Currency of the amount.|ISO code of the source currency",
            ),
            string(
                "to_currency target quote to",
                "target:currency",
                "Currency to convert to.|ISO code of the target currency",
            ),
        ),
        requests=lines("""
            ~convert {amount} {source} to {target}
            How much is {amount} {source} in {target}?
            {amount} {source} in {target}
            What are {amount} {source} worth in {target}?
            ~change {amount} {source} into {target}
            i have {amount} {source}, how many {target} do i get
            The hotel costs {amount} {source}. What is that in {target}?
            {amount} {source} to {target} please
            ~tell me what {amount} {source} is in {target} at today's rate
            If I exchange {amount} {source} for {target}, what do I get?
            price is {amount} {source}, i pay in {target}. how much?
        """),
        pairs=lines("""
            ~convert {amount} {source} to {target} and {amount2} {source2} to {target2}
            How much are {amount} {source} in {target}, and {amount2} {source2} in {target2}?
        """),
        results=results("""
            {"converted": {n:0.50..9000.00}, "currency": "{target}"} => {amount} {source} are {n} {target}.
            {"rate": {r:0.01..9.99}, "result": {n:0.50..9000.00}} =>\
                {amount} {source} are {n} {target} at a rate of {r}.
        """),
    ),
    ToolKind(
        key="stock_price",
        domain="money",
        names=("get_stock_price", "stock_quote", "share_price", "quote_stock", "ticker_price"),
        descriptions=lines("""
            Current price of a stock.
            Get the share price for a ticker symbol.
        """),
        params=(string("symbol ticker stock", "ticker", "Ticker symbol.|The symbol of the stock"),),
        requests=lines("""
            What is the stock price of {ticker}?
            how is {ticker} trading
            {ticker} stock price
            ~look up the share price of {ticker}
            ~check what {ticker} shares cost
            How much is one share of {ticker}?
            price of {ticker} shares right now
            Is {ticker} up today? What's the price?
            ~get me a quote for {ticker}
            I own a few {ticker} shares. What are they worth each?
            quote {ticker}
        """),
        pairs=lines("""
            What are {ticker} and {ticker2} trading at?
            stock prices of {ticker} and {ticker2}
            ~compare the share prices of {ticker} and {ticker2}
        """),
        results=results("""
            {"price": {p:1.00..900.00}, "currency": "{cur:currency}"} => {ticker} trades at {p} {cur}.
            {"symbol": "{ticker}", "price": {p:1.00..900.00}} => {ticker} trades at {p}.
        """),
    ),
    ToolKind(
        key="crypto_price",
        domain="money",
        names=("crypto_price", "coin_price", "get_crypto_rate", "token_price"),
        descriptions=lines("""
            Price of a cryptocurrency.
            Current rate of a crypto coin.
        """),
        params=(
            string(
                "coin crypto asset",
                "coin:Bitcoin|Ether|Litecoin|Dogecoin|Monero|Solana|Cardano|Polkadot|Tether|Stellar",
                "The coin.|Name of the cryptocurrency",
            ),
            string("currency in_currency", "currency", "Currency of the price.", False),
        ),
        requests=lines("""
            What's the price of {coin}?
            how much is one {coin} in {currency}
            {coin} price
            ~check the {coin} rate
            ~look up what {coin} costs in {currency}
            How is {coin} doing today?
            is {coin} still falling? what's the rate
            What would I pay for one {coin} right now?
            {coin} in {currency}?
            Rate of {coin} please
        """),
        pairs=lines("""
            Prices of {coin} and {coin2}?
        """),
        results=results("""
            {"price": {p:0.10..90000.00}} => One {coin} costs {p}.
        """),
    ),
    ToolKind(
        key="account_balance",
        domain="money",
        names=("get_balance", "account_balance", "check_balance", "bank_balance"),
        descriptions=lines("""
            Balance of a bank account.
            How much money is in an account.
        """),
        params=(
            choice(
                "account account_type",
                "account",
                "Which account.|The account",
                "checking|savings|business|joint|travel",
            ),
        ),
        requests=lines("""
            What is the balance of my {account} account?
            how much money is in my {account} account
            ~check my {account} balance
            ~show me how much is left in the {account} account
            {account} account balance
            Do I have any money left in the {account} account?
            How much have I got in {account}?
            I want to know my {account} balance.
            can I afford a holiday? look at my {account} account
            Balance on {account}?
        """),
        results=results("""
            {"balance": {n:0.50..9999.99}, "currency": "{cur:currency}"} =>\
                Your {account} account holds {n} {cur}.
            {"balance": {n:0.50..9999.99}} => Your {account} account holds {n}.
        """),
    ),
    ToolKind(
        key="transfer_money",
        domain="money",
        names=("transfer_money", "send_money", "make_transfer", "wire_funds", "create_payment"),
        descriptions=lines("""
            Send money to a person.
            Transfer an amount to someone's account.
        """),
        params=(
            string("recipient to payee receiver", "name", "Who receives the money.|Name of the recipient"),
            number("amount sum value", "amount:price", "How much.|Amount to send"),
            string("note reference memo message", "note:task", "Text of the transfer.|Reference line", False),
        ),
        requests=lines("""
            ~transfer {amount} to {name}
            ~send {amount} dollars to {name}
            ~pay {name} {amount}
            ~wire {amount} to {name} with the note "{note}"
            I owe {name} {amount}. Please send it.
            transfer {amount} euros to {name} for "{note}"
            {name} needs {amount} from me, transfer it
            Move {amount} to {name}'s account.
            I want to send {name} {amount}.
            give {name} {amount} from my account
            Please make a payment of {amount} to {name}.
        """),
        pairs=lines("""
            ~send {amount} to {name} and {amount2} to {name2}
            ~pay {name} {amount} and {name2} {amount2}
        """),
        results=results("""
            {"status": "sent", "transfer_id": "{id:code}"} =>\
                {amount} has been sent to {name}; the transfer is {id}.
            {"status": "pending"} => The transfer of {amount} to {name} is pending.
        """),
    ),
    ToolKind(
        key="transactions",
        domain="money",
        names=("list_transactions", "recent_transactions", "get_transactions", "account_history"),
        descriptions=lines("""
            The latest transactions on the account.
            List recent payments.
        """),
        params=(integer("limit count n", "count:2..30", "How many.|Number of transactions"),),
        requests=lines("""
            ~show my last {count} transactions
            ~list the {count} latest payments on my account
            What were my last {count} transactions?
            last {count} payments
            What did I spend money on lately? The last {count} entries please.
            ~pull up the {count} most recent transactions
            give me the {count} newest bookings on my account
            I want to see my last {count} card payments.
            recent transactions, {count} of them
            Where did my money go? Show {count} transactions.
        """),
        results=results("""
            {"total": {n:10.00..900.00}} => Your latest transactions come to {n}.
        """),
    ),
    ToolKind(
        key="pay_bill",
        domain="money",
        names=("pay_bill", "settle_invoice", "pay_invoice", "bill_payment"),
        descriptions=lines("""
            Pay an invoice by its number.
            Settles an open bill.
        """),
        params=(
            string("invoice invoice_number bill_id", "invoice:code", "Number of the invoice.|The bill"),
            string("date pay_on", "date", "When to pay it.", False),
        ),
        requests=lines("""
            ~pay invoice {invoice}
            ~settle the bill {invoice}
            ~pay bill {invoice} on {date}
            Invoice {invoice} is due. Please pay it.
            pay {invoice} pls
            I still have to pay invoice {invoice}, do it on {date}.
            Could bill {invoice} be paid on {date}?
            I don't want a reminder again, just pay invoice {invoice}.
            the bill {invoice} should be paid
            Take care of invoice {invoice}.
        """),
        results=results("""
            {"paid": true, "amount": {n:5.00..900.00}} => Invoice {invoice} is paid: {n}.
        """),
    ),
    ToolKind(
        key="block_card",
        domain="money",
        names=("block_card", "freeze_card", "lock_card", "disable_card"),
        descriptions=lines("""
            Block a bank card.
            Freeze a lost or stolen card.
        """),
        params=(
            string("last_digits card card_number", "digits:number", "Last digits of the card.|Which card"),
        ),
        requests=lines("""
            ~block my card ending in {digits}
            ~freeze the card {digits}
            I lost my card ending in {digits}!
            my card {digits} was stolen, block it
            Someone took my wallet. Block the card with the last digits {digits}.
            card {digits} is gone, freeze it now
            Nobody should be able to pay with card {digits} any more.
            ~lock card {digits} right away
            Stop all payments with the card ending {digits}.
            I can't find card {digits}, please freeze it.
        """),
        results=results("""
            {"blocked": true} => The card {digits} is blocked.
        """),
    ),
    # Messages
    ToolKind(
        key="send_email",
        domain="messages",
        names=("send_email", "email_send", "compose_email", "mail", "write_email"),
        descriptions=lines("""
            Send an email.
            Sends an e-mail to an address.
            Write a mail to somebody.
        """),
        params=(
            string("to recipient address email", "email", "Address of the recipient.|Who gets the mail"),
            string("subject title", "subject:topic", "Subject line.|Subject of the mail", False),
            string("body text message content", "text", "Text of the mail.|The message"),
        ),
        requests=lines("""
            ~send an email to {email} saying "{text}"
            ~email {email} that {text}
            ~write a mail to {email}: {text}
            ~send a mail to {email} with the subject "{subject}" and the text "{text}"
            email to {email}: "{text}"
            Mail {email} and say "{text}".
            subject: {subject}, to: {email}, text: {text}
            I need to email {email}. Just write: {text}
            Let {email} know by email that {text}
            shoot an email to {email} saying {text}
            An email should go to {email} about {subject}, saying "{text}".
            ~drop {email} an email with the words "{text}"
        """),
        pairs=lines("""
            ~email {email} that {text}, and email {email2} that {text2}
        """),
        results=results("""
            {"status": "sent"} => The email to {email} has been sent.
            {"queued": true} => The email to {email} is queued.
        """),
    ),
    ToolKind(
        key="send_sms",
        domain="messages",
        names=("send_sms", "text_message", "send_text", "sms"),
        descriptions=lines("""
            Send a text message to a contact.
            Sends an SMS.
        """),
        params=(
            string("to recipient contact name", "name", "Who gets the message.|Contact"),
            string("message text body content", "text", "The message.|Text to send"),
        ),
        requests=lines("""
            ~text {name}: {text}
            ~text {name} that {text}
            ~send {name} a text message saying "{text}"
            ~send a text to {name}: "{text}"
            sms to {name}: {text}
            Text {name} "{text}".
            I need to text {name}: {text}
            Write {name} a text saying {text}
            message {name} on the phone: {text}
            Can {name} get a text from me? "{text}"
            ~let {name} know by text that {text}
        """),
        pairs=lines("""
            ~text {name} that {text}, and text {name2} that {text2}
            ~send {name} a text saying "{text}" and {name2} one saying "{text2}"
        """),
        results=results("""
            {"status": "delivered"} => Your text to {name} was delivered.
            {"sent": true} => Your text to {name} was sent.
        """),
    ),
    ToolKind(
        key="post_channel",
        domain="messages",
        names=("post_message", "channel_post", "post_to_channel", "team_chat_send"),
        descriptions=lines("""
            Post a message in a channel of the team chat.
            Writes to a chat channel.
        """),
        params=(
            string("channel room", "channel:noun", "Name of the channel.|Which channel"),
            string("message text content", "text", "What to post.|The message"),
        ),
        requests=lines("""
            ~post "{text}" in the {channel} channel
            ~write in #{channel}: {text}
            ~tell the {channel} channel that {text}
            post to {channel}: {text}
            Announce in the channel {channel}: "{text}"
            Put "{text}" into the {channel} channel.
            the people in channel {channel} should read this: {text}
            ~drop a message in the {channel} channel: {text}
            Message for the {channel} channel: {text}
            In the {channel} channel, please write "{text}".
        """),
        results=results("""
            {"posted": true} => Your message is in the {channel} channel.
        """),
    ),
    ToolKind(
        key="read_inbox",
        domain="messages",
        names=("read_inbox", "unread_mail", "check_mail", "get_emails"),
        descriptions=lines("""
            Unread emails in the inbox.
            Check for new mail.
        """),
        params=(string("sender from", "name", "Only mail from this person.|Sender", False),),
        requests=lines("""
            Do I have new mail?
            ~check my inbox
            any unread emails from {name}?
            ~show me unread mail
            Did {name} write me an email?
            what's new in my inbox
            Are there emails I haven't read?
            ~look for new emails from {name}
            check mail
            Has {name} answered my email yet?
            I'm waiting for an email from {name}. Is it there?
        """),
        results=results("""
            {"unread": {n:2..60}} => You have {n} unread emails.
            {"unread": 0} => You have no unread emails.
        """),
    ),
    ToolKind(
        key="phone_call",
        domain="messages",
        names=("call_contact", "phone_call", "dial", "make_call", "start_call"),
        descriptions=lines("""
            Call someone on the phone.
            Start a phone call.
        """),
        params=(
            string("contact name who person", "name", "Whom to call.|Contact to dial"),
            flag(
                "speaker speakerphone",
                "speaker",
                "Whether to use the loudspeaker.",
                "on speaker|without speaker",
                False,
            ),
        ),
        requests=lines("""
            ~call {name}
            ~phone {name}
            ~ring {name} {speaker}
            ~give {name} a call
            I want to talk to {name}. Start the call.
            call {name} {speaker}
            dial {name}
            Get {name} on the phone.
            ~start a phone call with {name}
            I need to speak to {name} right now, ring them.
            can you dial {name} for me
        """),
        results=results("""
            {"status": "connected"} => You are connected to {name}.
            {"status": "no answer"} => {name} does not answer.
            {"status": "busy"} => The line of {name} is busy.
        """),
    ),
    ToolKind(
        key="contact_find",
        domain="contacts",
        names=("find_contact", "lookup_contact", "get_contact", "contact_search", "phonebook"),
        descriptions=lines("""
            Find a person's phone number and address.
            Look someone up in the address book.
        """),
        params=(string("name person contact query", "name", "Name of the person.|Whom to look up"),),
        requests=lines("""
            What's {name}'s phone number?
            ~find the number of {name}
            ~look up {name} in my contacts
            do we have a number for {name}
            How can I reach {name}?
            {name} phone number
            ~get me the contact details of {name}
            I can't remember {name}'s number.
            Is {name} in my address book?
            what number does {name} have
            Contact info for {name}?
        """),
        pairs=lines("""
            What are the numbers of {name} and {name2}?
            ~look up {name} and {name2} in my contacts
        """),
        results=results("""
            {"phone": "{ph:phone}"} => The number of {name} is {ph}.
            {"phone": "{ph:phone}", "email": "{mail:email}"} =>\
                The number of {name} is {ph} and the email address is {mail}.
        """),
    ),
    ToolKind(
        key="contact_add",
        domain="contacts",
        names=("add_contact", "create_contact", "save_contact", "new_contact"),
        descriptions=lines("""
            Save a new contact.
            Add a person with a phone number to the address book.
        """),
        params=(
            string("name full_name contact", "name", "Name of the person."),
            string("phone number phone_number", "phone", "Phone number."),
        ),
        requests=lines("""
            ~save {name} as a contact with the number {phone}
            ~add {name} to my contacts, number {phone}
            ~create a contact for {name}: {phone}
            new contact: {name}, {phone}
            {name}'s new number is {phone}, save it
            I met {name} today. Keep the number {phone}.
            put {phone} in my phone book under {name}
            Remember that {name} has the number {phone}, in my contacts please.
            {phone} belongs to {name}. Add it to my address book.
            Store {name}, phone {phone}.
        """),
        results=results("""
            {"saved": true} => {name} is in your contacts now.
        """),
    ),
    # Calendar, clocks, lists
    ToolKind(
        key="create_event",
        domain="calendar",
        names=("create_event", "add_event", "schedule_meeting", "calendar_add", "new_appointment"),
        descriptions=lines("""
            Create an event in the calendar.
            Puts an appointment into the calendar.
        """),
        params=(
            string("title name event summary", "event", "What it is.|Title of the event"),
            string("date day", "date", "The date.|On which day"),
            string("time start start_time", "time", "When it starts.|Start time", False),
        ),
        requests=lines("""
            ~put a {event} in my calendar on {date}
            ~schedule a {event} on {date} at {time}
            ~add the {event} to my calendar for {date}
            I have a {event} on {date} at {time}. Put it in the calendar.
            calendar: {event}, {date}, {time}
            new event {event} on {date}
            ~create a calendar entry for the {event} on {date} at {time}
            Block {date} at {time} in my calendar for the {event}.
            The {event} is on {date}. Please note it in my calendar.
            can we schedule the {event} for {date}
            Enter {event} for {date}, {time}, in my calendar.
        """),
        pairs=lines("""
            ~put the {event} on {date} and the {event2} on {date2} in my calendar
        """),
        results=results("""
            {"created": true} => The {event} is in your calendar for {date}.
            {"event_id": "{id:code}"} => The {event} is in your calendar for {date}, entry {id}.
        """),
    ),
    ToolKind(
        key="list_events",
        domain="calendar",
        names=("list_events", "get_calendar", "agenda", "events_on"),
        descriptions=lines("""
            List the calendar events of a day.
            What is planned on a day.
        """),
        params=(string("day date when", "day", "Which day.|The day"),),
        requests=lines("""
            What's on my calendar {day}?
            What do I have planned {day}?
            am i free {day}
            ~show me my appointments for {day}
            ~list my events for {day}
            agenda {day}
            Do I have any meetings {day}?
            How busy is my calendar {day}?
            what does my calendar look like {day}?
            Anything scheduled {day}?
            Is there anything in my diary {day}?
        """),
        results=results("""
            {"events": ["{a:event}", "{b:event}"]} => You have two events: {a} and {b}.
            {"events": ["{a:event}"]} => You have one event: {a}.
            {"events": []} => You have no events.
        """),
    ),
    ToolKind(
        key="cancel_event",
        domain="calendar",
        names=("cancel_event", "delete_event", "remove_appointment", "calendar_delete"),
        descriptions=lines("""
            Remove an event from the calendar.
            Cancels an appointment.
        """),
        params=(
            string("title event name", "event", "Title of the event.|Which event"),
            string("day date", "day", "Day of the event.", False),
        ),
        requests=lines("""
            ~cancel the {event}
            ~cancel my {event} {day}
            ~delete the {event} from my calendar
            The {event} is off. Remove it from the calendar.
            I can't go to the {event} {day}, take it out of my calendar.
            remove {event} from calendar
            ~drop the {event} {day} from my schedule
            the {event} {day} won't happen, delete it
            Please scrap the {event} in my calendar.
            No {event} for me. Cancel the entry.
        """),
        results=results("""
            {"deleted": true} => The {event} is removed from your calendar.
            {"deleted": false} => I found no {event} in your calendar.
        """),
    ),
    ToolKind(
        key="reminder",
        domain="calendar",
        names=("set_reminder", "create_reminder", "remind_me", "add_reminder"),
        descriptions=lines("""
            Set a reminder.
            Reminds the user of something at a time.
        """),
        params=(
            string("text task what message", "task", "What to remember.|Text of the reminder"),
            string("time when at", "time", "When to remind.|Time of the reminder"),
        ),
        requests=lines("""
            ~remind me to {task} at {time}
            ~remind me at {time} to {task}
            ~set a reminder for {time}: {task}
            reminder {time} {task}
            I must not forget to {task} at {time}.
            At {time} I have to {task}. Remind me.
            pls remind me to {task}, {time}
            I need a reminder at {time} to {task}.
            Don't let me forget to {task} at {time}!
            ping me at {time} so i {task}
            Could I get a reminder to {task} at {time}?
        """),
        pairs=lines("""
            ~remind me to {task} at {time} and to {task2} at {time2}
            two reminders please: {task} at {time} and {task2} at {time2}
        """),
        results=results("""
            {"reminder_id": {id:1..999}} => I will remind you at {time} to {task}.
            {"set": true, "at": "{time}"} => The reminder is set for {time}.
        """),
    ),
    ToolKind(
        key="set_alarm",
        domain="clock",
        names=("set_alarm", "alarm", "wake_up_alarm", "create_alarm"),
        descriptions=lines("""
            Set an alarm clock.
            Wakes the user at a time.
        """),
        params=(
            string("time at", "time", "When it rings.|Alarm time"),
            string("day date", "day", "On which day.", False),
        ),
        requests=lines("""
            ~wake me up at {time}
            ~set an alarm for {time}
            ~set the alarm to {time} {day}
            alarm {time}
            I have to get up at {time} {day}.
            wake me {day} at {time}
            My alarm should ring at {time}.
            I need to be awake by {time}, set the alarm clock.
            alarm at {time} pls
            ~make sure I wake up at {time}
            Alarm clock to {time} {day}, thanks.
        """),
        pairs=lines("""
            ~set alarms for {time} and {time2}
            two alarms please, {time} and {time2}
        """),
        results=results("""
            {"alarm": "{time}"} => The alarm is set for {time}.
        """),
    ),
    ToolKind(
        key="set_timer",
        domain="clock",
        names=("set_timer", "start_timer", "countdown", "timer"),
        descriptions=lines("""
            Start a timer.
            Counts down a number of minutes.
        """),
        params=(
            integer("minutes duration_minutes mins", "minutes:2..90", "Minutes to count.|Length in minutes"),
            string("label name", "label:food", "What the timer is for.", False),
        ),
        requests=lines("""
            ~set a timer for {minutes} minutes
            ~start a {minutes} minute timer
            ~set a {minutes} minute timer for the {label}
            timer {minutes} min
            The {label} needs {minutes} minutes. Start a timer.
            {minutes} minutes on the timer
            ~count down {minutes} minutes
            tell me when {minutes} minutes are over
            I'm boiling the {label}, time {minutes} minutes please.
            Let me know once {minutes} minutes have passed.
            timer for the {label}, {minutes} minutes
        """),
        pairs=lines("""
            ~start a timer for {minutes} minutes and another one for {minutes2} minutes
            two timers: {minutes} and {minutes2} minutes
        """),
        results=results("""
            {"timer": {minutes}, "running": true} => The timer is running for {minutes} minutes.
            {"started": true} => The timer is running.
        """),
    ),
    ToolKind(
        key="todo_add",
        domain="lists",
        names=("add_todo", "todo_create", "add_task", "new_task"),
        descriptions=lines("""
            Add a task to the to-do list.
            Puts something on the list of things to do.
        """),
        params=(
            string("task title text item", "task", "What is to be done.|The task"),
            choice(
                "priority importance", "priority", "How important it is.", "low|medium|high|urgent", False
            ),
        ),
        requests=lines("""
            ~add "{task}" to my to-do list
            ~put {task} on my todo list
            ~add a task: {task}
            todo: {task}
            I have to {task}. Put it on my list of things to do.
            to do list: {task}, priority {priority}
            new task {task} with {priority} priority
            ~note "{task}" as a {priority} priority task
            On my to-do list I want: {task}
            one more thing to do: {task}
            Please add the task "{task}".
        """),
        pairs=lines("""
            ~add "{task}" and "{task2}" to my to-do list
            two new tasks: {task} and {task2}
        """),
        results=results("""
            {"task_id": {id:1..999}} => It is on your list as task {id}.
            {"added": true} => It is on your list.
        """),
    ),
    ToolKind(
        key="todo_list",
        domain="lists",
        names=("list_todos", "get_tasks", "show_tasks", "open_tasks"),
        descriptions=lines("""
            Show the open tasks on the to-do list.
            Everything that is still to be done.
        """),
        params=(),
        requests=lines("""
            What's on my to-do list?
            ~show my open tasks
            ~list my to-dos
            what do i still have to do
            What tasks are left?
            my todo list please
            Which of my tasks are open?
            ~read me my to-do list
            Is there anything left on my to-do list?
            tasks?
        """),
        results=results("""
            {"tasks": ["{a:task}", "{b:task}"]} => Two tasks are open: {a} and {b}.
            {"tasks": []} => No tasks are open.
        """),
    ),
    ToolKind(
        key="todo_done",
        domain="lists",
        names=("complete_task", "todo_done", "finish_task", "check_off"),
        descriptions=lines("""
            Mark a task as done.
            Ticks off a task by its number.
        """),
        params=(integer("task_id id number", "id:1..999", "Number of the task.|Which task"),),
        requests=lines("""
            ~mark task {id} as done
            ~tick off task {id}
            ~check off number {id} on my to-do list
            task {id} is done
            I finished task {id}.
            {id} is finished, tick it off my list
            Task number {id}: completed.
            you can close todo {id}, I did it
            ~set task {id} to done
            Done with task {id}!
        """),
        pairs=lines("""
            Tasks {id} and {id2} are done.
            ~tick off tasks {id} and {id2}
        """),
        results=results("""
            {"done": true, "left": {n:0..40}} => Task {id} is done; {n} are left.
        """),
    ),
    ToolKind(
        key="shopping_add",
        domain="lists",
        names=("add_to_shopping_list", "shopping_list_add", "grocery_add", "add_grocery"),
        descriptions=lines("""
            Add something to the shopping list.
            Puts groceries on the list.
        """),
        params=(
            string("product item article", "food", "What to buy.|The product"),
            integer("quantity count amount", "count:2..20", "How many.", False),
        ),
        requests=lines("""
            ~put {food} on the shopping list
            ~add {food} to my shopping list
            ~add {count} packs of {food} to the grocery list
            We're out of {food}. Shopping list please.
            shopping list: {food}
            we need {food}, write it on the shopping list
            {count} times {food} for the shopping list
            groceries: {count} {food}
            Don't let me forget {food} at the supermarket, put it on the list.
            The shopping list is missing {food}.
        """),
        pairs=lines("""
            ~put {food} and {food2} on the shopping list
            shopping list: {food} and {food2}
        """),
        results=results("""
            {"items": {n:1..40}} => The shopping list now has {n} items.
            {"added": "{food}"} => The shopping list now has {food}.
        """),
    ),
    ToolKind(
        key="note_create",
        domain="notes",
        names=("create_note", "take_note", "save_note", "write_note"),
        descriptions=lines("""
            Save a note.
            Writes down a note for later.
        """),
        params=(
            string("text content body note", "note", "Text of the note.|What to write down"),
            string("folder notebook", "notebook:noun", "Notebook to put it in.", False),
        ),
        requests=lines("""
            ~make a note: {note}
            ~write down that {note}
            ~take a note saying "{note}"
            note: {note}
            Note to self: {note}
            ~save the note "{note}" in the notebook {notebook}
            i want to write this down: {note}
            Jot this down for me: {note}
            New note in {notebook}: {note}
            Keep a note that {note}
            ~note that {note}
        """),
        results=results("""
            {"note_id": "{id:code}"} => Your note is saved as {id}.
            {"saved": true} => Your note is saved.
        """),
    ),
    ToolKind(
        key="note_search",
        domain="notes",
        names=("search_notes", "find_note", "note_lookup", "grep_notes"),
        descriptions=lines("""
            Search the saved notes.
            Finds notes that contain a word.
        """),
        params=(string("query text keyword", "topic", "What to look for.|Search words"),),
        requests=lines("""
            ~find my notes about {topic}
            ~search my notes for {topic}
            Did I write a note about {topic}?
            notes on {topic}
            What did I note about {topic}?
            i wrote something down about {topic}, find it
            ~look through my notes for {topic}
            Is there anything on {topic} in my notes?
            Which of my notes mention {topic}?
            my notes about {topic} please
        """),
        results=results("""
            {"notes": ["{a:note}"]} => I found one note: {a}.
            {"notes": []} => I found no note about {topic}.
        """),
    ),
    # Music and films
    ToolKind(
        key="play_song",
        domain="media",
        names=("play_song", "play_music", "music_play", "start_song"),
        descriptions=lines("""
            Play a song.
            Plays a song, by title and artist.
        """),
        params=(
            string("title song track", "title", "Title of the song.|Which song"),
            string("artist band by", "artist", "Who sings it.|Artist", False),
        ),
        requests=lines("""
            ~play {title}
            ~play {title} by {artist}
            ~put on {title} by {artist}
            I want to hear {title}.
            play the song {title}
            can we listen to {title} by {artist}
            Next up: {title} by {artist}, please play it.
            ~start the song "{title}"
            i'm in the mood for {title}
            Let me hear "{title}" from {artist}.
            {title} by {artist}!
        """),
        results=results("""
            {"playing": "{title}"} => Now playing {title}.
        """),
    ),
    ToolKind(
        key="play_genre",
        domain="media",
        names=("play_genre", "start_radio", "play_station", "genre_radio"),
        descriptions=lines("""
            Play a radio station with music of a genre.
            Starts a mix of some kind of music.
        """),
        params=(string("genre style kind", "genre", "Kind of music.|Genre"),),
        requests=lines("""
            ~play some {genre}
            ~put on some {genre} music
            I feel like listening to {genre}.
            {genre} music please
            some {genre} would be nice
            Is there a {genre} station? Turn it on.
            ~start a {genre} radio
            Dinner is served, let's have {genre} in the background.
            how about a bit of {genre} music
            We want to dance to {genre}.
        """),
        results=results("""
            {"station": "{st:title}"} => Playing {genre} on {st}.
        """),
    ),
    ToolKind(
        key="volume",
        domain="media",
        names=("set_volume", "volume", "change_volume", "adjust_volume"),
        descriptions=lines("""
            Set the volume of the speakers.
            Changes how loud it is, in percent.
        """),
        params=(integer("level percent volume", "level:0..100", "Volume from 0 to 100.|How loud"),),
        requests=lines("""
            ~set the volume to {level}
            ~turn the volume to {level} percent
            volume {level}
            It's too quiet. Volume {level} please.
            ~make it {level}% loud
            too loud! volume to {level}
            Bring the volume to {level}%.
            I want the speakers at volume {level}.
            ~change the volume to {level}%
            Could you put the sound at {level} percent?
        """),
        results=results("""
            {"volume": {level}} => The volume is at {level}.
        """),
    ),
    ToolKind(
        key="pause_music",
        domain="media",
        names=("pause_music", "stop_playback", "pause", "media_pause"),
        descriptions=lines("""
            Pause the music.
            Stops what is playing.
        """),
        params=(),
        requests=lines("""
            ~pause the music
            ~stop the music
            ~pause playback
            pause
            Stop playing please.
            The phone is ringing, pause the song!
            music off
            I've heard enough music.
            silence please, stop the song
            Hold the music for a moment.
        """),
        results=results("""
            {"state": "paused"} => The music is paused.
        """),
    ),
    ToolKind(
        key="next_track",
        domain="media",
        names=("next_track", "skip_song", "skip", "play_next"),
        descriptions=lines("""
            Skip to the next song.
            Plays the next track.
        """),
        params=(),
        requests=lines("""
            ~skip this song
            ~play the next song
            next song
            I don't like this song. Next!
            ~go to the next track
            skip
            Not this one again, skip it.
            next track please
            Something else please, the next song.
            jump to the following track
        """),
        results=results("""
            {"now_playing": "{song:title}", "artist": "{who:artist}"} => Now playing {song} by {who}.
        """),
    ),
    ToolKind(
        key="movie_info",
        domain="media",
        names=("movie_info", "film_lookup", "get_movie", "movie_details"),
        descriptions=lines("""
            Information about a film.
            Looks up director, year and rating of a movie.
        """),
        params=(string("title movie film name", "title", "Title of the film.|The movie"),),
        requests=lines("""
            Who directed the movie {title}?
            When did the film {title} come out?
            ~look up the movie {title}
            how is the movie {title} rated
            Is the film {title} any good?
            ~tell me about the film {title}
            movie {title} info
            What year is the movie {title} from?
            I'm thinking of watching the film {title}. What is its rating?
            ~find details of the movie "{title}"
        """),
        results=results("""
            {"director": "{dir:name}", "year": {y:year}} => {title} was directed by {dir} and came out in {y}.
            {"rating": {r:1.0..9.9}} => {title} has a rating of {r}.
        """),
    ),
    ToolKind(
        key="cinema",
        domain="media",
        names=("cinema_showtimes", "showtimes", "movie_times", "find_screenings"),
        descriptions=lines("""
            Showtimes of a film in the cinemas of a city.
            When a movie is shown.
        """),
        params=(
            string("film movie title", "title", "The film.|Title of the movie"),
            string("city location", "city", "The city."),
        ),
        requests=lines("""
            When is {title} showing in {city}?
            cinema times for {title} in {city}
            ~find a cinema in {city} that shows {title}
            Is {title} still in the cinemas in {city}?
            ~look up showtimes of {title} in {city}
            We want to see {title} in {city} tonight. What times?
            at what time can i watch {title} in a cinema in {city}
            Screenings of {title} in {city}?
            {city} cinemas, {title}, what time
            Which times does {title} play in {city}?
        """),
        results=results("""
            {"times": ["{a:time}", "{b:time}"]} => {title} is shown at {a} and {b}.
        """),
    ),
    # Home
    ToolKind(
        key="lights",
        domain="home",
        names=("set_lights", "switch_lights", "light_control", "lights"),
        descriptions=lines("""
            Turn the lights in a room on or off.
            Light switch for a room.
        """),
        params=(
            string("room location where", "room", "Which room.|The room"),
            flag(
                "on state enabled turn_on",
                "state",
                "True for on, false for off.|Whether the light is on",
                "on|off",
            ),
        ),
        requests=lines("""
            ~turn {state} the lights in the {room}
            ~turn the {room} lights {state}
            ~switch {state} the light in the {room}
            lights {state} in the {room}
            {room} lights {state}
            I want the light in the {room} {state}.
            Could the lights in the {room} be {state}?
            The {room} light should be {state}.
            {state} with the {room} lights
            ~switch the {room} light {state}, thanks
        """),
        pairs=lines("""
            ~turn {state} the lights in the {room} and turn {state2} the ones in the {room2}
            {room} lights {state}, {room2} lights {state2}
        """),
        results=results("""
            {"room": "{room}", "light": "{state}"} => The light in the {room} is {state}.
        """),
    ),
    ToolKind(
        key="light_color",
        domain="home",
        names=("set_light_color", "color_light", "lamp_color", "change_light_color"),
        descriptions=lines("""
            Change the color of the light in a room.
            Sets a colored lamp.
        """),
        params=(
            string("color colour", "color", "The color.|Which color"),
            string("room where location", "room", "Which room.|Room of the lamp"),
        ),
        requests=lines("""
            ~make the light in the {room} {color}
            ~set the {room} lamp to {color}
            ~change the light in the {room} to {color}
            {color} light in the {room}
            i want {color} light in the {room} for the party
            The {room} would look nice in {color}. Change the lamp.
            Please give the {room} a {color} light.
            {room} lamp color {color}
            ~turn the {room} lamp {color}
            could the {room} light be {color}?
        """),
        results=results("""
            {"color": "{color}"} => The light in the {room} is {color}.
        """),
    ),
    ToolKind(
        key="thermostat",
        domain="home",
        names=("set_thermostat", "set_temperature", "thermostat", "heating_set"),
        descriptions=lines("""
            Set the temperature of the heating.
            Controls the thermostat.
        """),
        params=(
            number(
                "temperature degrees target",
                "degrees:15.0..27.0",
                "Temperature in degrees.|Target temperature",
            ),
            string("room zone", "room", "Which room.", False),
        ),
        requests=lines("""
            ~set the thermostat to {degrees} degrees
            ~heat the {room} to {degrees} degrees
            thermostat {degrees}
            It's cold in here. Heating to {degrees}.
            ~set the heating in the {room} to {degrees}
            i'd like {degrees} degrees in the {room}
            ~turn the heating to {degrees} degrees
            Make it {degrees} degrees in the {room}.
            too hot! thermostat down to {degrees}
            The {room} should be at {degrees} degrees.
        """),
        pairs=lines("""
            ~heat the {room} to {degrees} and the {room2} to {degrees2} degrees
        """),
        results=results("""
            {"target": {degrees}, "current": {now:12.0..28.0}} =>\
                The heating is set to {degrees} degrees; it is {now} now.
            {"target": {degrees}} => The heating is set to {degrees} degrees.
        """),
    ),
    ToolKind(
        key="lock_door",
        domain="home",
        names=("lock_door", "door_lock", "set_lock", "smart_lock"),
        descriptions=lines("""
            Lock or unlock a door.
            Controls the door locks.
        """),
        params=(
            choice(
                "door which",
                "door",
                "Which door.|The door",
                "front door|back door|garage door|cellar door|balcony door|garden gate",
            ),
            flag(
                "locked lock", "action", "True to lock, false to unlock.|Whether it is locked", "lock|unlock"
            ),
        ),
        requests=lines("""
            ~{action} the {door}
            {action} the {door} please
            ~{action} the {door} for me
            The {door}: {action} it.
            {action} {door}
            I'm in bed already, {action} the {door}.
            Would you {action} the {door}?
            i need you to {action} the {door} now
            My hands are full. {action} the {door}, please.
            quick, {action} the {door}
        """),
        results=results("""
            {"done": true, "battery": {b:5..100}} => Done. The battery of the lock is at {b}%.
        """),
    ),
    ToolKind(
        key="blinds",
        domain="home",
        names=("set_blinds", "move_blinds", "shutter_control", "blinds_position"),
        descriptions=lines("""
            Move the blinds of a room to a position in percent.
            Controls the shutters; 0 is open and 100 is closed.
        """),
        params=(
            string("room where", "room", "Which room.|The room"),
            integer(
                "position percent closed", "percent:0..100", "How far they are closed, in percent.|Position"
            ),
        ),
        requests=lines("""
            ~close the blinds in the {room} to {percent} percent
            ~set the {room} blinds to {percent}%
            blinds {room} {percent}%
            The sun blinds me. {room} shutters to {percent} percent.
            ~move the shutters in the {room} to {percent}
            put the blinds of the {room} at {percent}%
            {room}: blinds at {percent} percent please
            I want the {room} blinds {percent}% closed.
            ~lower the blinds in the {room} to {percent} percent
            The {room} shutters should stand at {percent}.
        """),
        results=results("""
            {"position": {percent}} => The blinds in the {room} are at {percent}%.
        """),
    ),
    ToolKind(
        key="device_switch",
        domain="home",
        names=("switch_device", "device_power", "toggle_appliance", "smart_plug"),
        descriptions=lines("""
            Switch an appliance on or off.
            Power of a household device.
        """),
        params=(
            string("device appliance name", "device", "The device.|Which appliance"),
            flag("on power turn_on", "state", "True to switch it on.|On or off", "on|off"),
        ),
        requests=lines("""
            ~turn {state} the {device}
            ~switch the {device} {state}
            {device} {state}
            ~turn the {device} {state} please
            I'd like the {device} {state}.
            The {device} should be {state} now.
            power {state} the {device}
            Can you switch {state} the {device} from here?
            {state} with the {device}!
            is it possible to turn {state} the {device}?
        """),
        pairs=lines("""
            ~turn {state} the {device} and turn {state2} the {device2}
            ~switch the {device} {state} and the {device2} {state2}
        """),
        results=results("""
            {"power": "{state}"} => The {device} is {state}.
        """),
    ),
    ToolKind(
        key="vacuum_robot",
        domain="home",
        names=("start_vacuum", "robot_vacuum", "clean_room", "vacuum_clean"),
        descriptions=lines("""
            Send the vacuum robot to a room.
            Lets the robot clean a room.
        """),
        params=(string("room area", "room", "Room to clean.|Where"),),
        requests=lines("""
            ~vacuum the {room}
            ~send the vacuum robot to the {room}
            ~let the robot clean the {room}
            The {room} is dusty. Start the robot there.
            robot, clean the {room}
            crumbs everywhere in the {room}, send the vacuum
            ~start vacuuming in the {room}
            Please get the {room} vacuumed.
            i want the robot to do the {room}
            The {room} needs a clean floor. Robot please.
        """),
        results=results("""
            {"state": "cleaning", "minutes": {n:5..60}} =>\
                The robot is cleaning the {room} and needs {n} minutes.
        """),
    ),
    ToolKind(
        key="camera",
        domain="home",
        names=("camera_snapshot", "take_snapshot", "view_camera", "security_camera"),
        descriptions=lines("""
            Take a picture with a security camera.
            Shows what a camera sees.
        """),
        params=(
            string(
                "camera location where",
                "spot:front yard|garage|driveway|back yard|lobby|parking lot|warehouse|gate|roof|stairs",
                "Which camera.|Place of the camera",
            ),
        ),
        requests=lines("""
            ~show me the camera in the {spot}
            ~take a snapshot of the {spot}
            Who is in the {spot}? Check the camera.
            what does the {spot} camera see
            {spot} camera
            I heard a noise in the {spot}, have a look with the camera.
            ~check the security camera at the {spot}
            picture from the {spot} camera please
            Is anybody in the {spot}? Use the camera.
            camera view of the {spot}
        """),
        results=results("""
            {"people": {n:0..6}} => The camera at the {spot} sees {n} people.
        """),
    ),
    ToolKind(
        key="watering",
        domain="home",
        names=("water_garden", "start_irrigation", "sprinkler", "irrigate"),
        descriptions=lines("""
            Water a part of the garden.
            Starts the sprinklers for some minutes.
        """),
        params=(
            string(
                "zone area bed",
                "zone:lawn|rose bed|vegetable patch|hedge|greenhouse|herb garden|orchard|flower pots",
                "Part of the garden.|Which zone",
            ),
            integer("minutes duration", "minutes:2..60", "For how many minutes."),
        ),
        requests=lines("""
            ~water the {zone} for {minutes} minutes
            ~run the sprinklers on the {zone} for {minutes} minutes
            {zone}: water it {minutes} minutes
            The {zone} looks dry. Give it {minutes} minutes of water.
            sprinkler {zone} {minutes} min
            ~irrigate the {zone} for {minutes} minutes
            Let the water run on the {zone}, {minutes} minutes.
            i think the {zone} needs water, {minutes} minutes should do
            {minutes} minutes of watering for the {zone}
            Please turn on watering in the {zone} for {minutes} minutes.
        """),
        results=results("""
            {"watering": "{zone}", "liters": {n:5..400}} => The {zone} gets {n} liters of water.
        """),
    ),
    # Search
    ToolKind(
        key="search_web",
        domain="search",
        names=("search_web", "web_search", "google", "internet_search", "search_engine"),
        descriptions=lines("""
            Search the web.
            Finds pages on the internet.
            Run a search query online.
        """),
        params=(
            string("query q search_term keywords", "query", "What to search for.|The query|Search words"),
            integer("limit max_results count", "count:2..20", "How many results.", False),
        ),
        requests=lines("""
            ~search the web for {query}
            ~google {query}
            ~look up "{query}" online
            ~find {count} results on the web for "{query}"
            search: {query}
            What does the internet say about {query}?
            web search {query}
            ~search online for "{query}" and give me {count} results
            I'd like to find pages about {query}.
            do a web search for {query}
            See what comes up online for "{query}".
        """),
        pairs=lines("""
            ~search the web for "{query}" and for "{query2}"
        """),
        results=results("""
            {"results": {n:0..900}} => The search found {n} results.
            {"top_result": "{u:url}"} => The best result is {u}.
        """),
    ),
    ToolKind(
        key="search_files",
        domain="search",
        names=("search_files", "find_file", "file_search", "locate_file"),
        descriptions=lines("""
            Find files by name.
            Searches a folder for files.
        """),
        params=(
            string("name pattern query filename", "file", "Name of the file.|File to find"),
            string("folder directory path", "folder", "Where to search.|Folder", False),
        ),
        requests=lines("""
            ~find the file {file}
            Where is {file}?
            ~search for {file} in {folder}
            where did i put {file}
            ~look for a file called {file} in the folder {folder}
            find {file}
            I can't find {file} any more.
            Is there a file named {file} in {folder}?
            ~locate {file} on my disk
            which folder is {file} in
            I saved {file} somewhere. Find it.
        """),
        results=results("""
            {"path": "{where:folder}/{file}"} => The file is at {where}/{file}.
            {"matches": 0} => I found no file named {file}.
        """),
    ),
    ToolKind(
        key="read_text_file",
        domain="files",
        names=("read_file", "open_file", "cat_file", "get_file_content"),
        descriptions=lines("""
            Read a file.
            Returns the content of a text file.
        """),
        params=(string("path file filename", "file", "The file.|Path of the file"),),
        requests=lines("""
            ~open {file}
            ~read {file}
            What does {file} say?
            ~show me what is in {file}
            contents of {file}
            whats inside {file}
            ~print the file {file}
            I'd like to see the text of {file}.
            Let me see {file}.
            cat {file}
        """),
        pairs=lines("""
            ~open {file} and {file2}
            ~read {file} and {file2}
        """),
        results=results("""
            {"content": "{c:note}"} => The file says: {c}
        """),
    ),
    ToolKind(
        key="delete_file",
        domain="files",
        names=("delete_file", "remove_file", "rm", "trash_file"),
        descriptions=lines("""
            Delete a file.
            Moves a file to the trash.
        """),
        params=(string("path file filename", "file", "The file.|File to delete"),),
        requests=lines("""
            ~delete {file}
            ~remove the file {file}
            ~throw away {file}
            I don't need {file} any more. Delete it.
            rm {file}
            get rid of {file}
            {file} can go
            Please put {file} in the trash.
            the file {file} is outdated, erase it
            ~erase {file}
        """),
        pairs=lines("""
            ~delete {file} and {file2}
        """),
        results=results("""
            {"deleted": "{file}"} => {file} is deleted.
        """),
    ),
    ToolKind(
        key="rename_file",
        domain="files",
        names=("rename_file", "move_file", "mv", "change_filename"),
        descriptions=lines("""
            Rename a file.
            Gives a file a new name.
        """),
        params=(
            string("old_name source from", "file", "The name it has now.|Old name"),
            string("new_name target to", "new:file", "The new name.|Name it shall have"),
        ),
        requests=lines("""
            ~rename {file} to {new}
            ~change the name of {file} to {new}
            ~call the file {file} {new} instead
            {file} should be called {new}
            mv {file} {new}
            I'd rather have {file} named {new}.
            new name for {file}: {new}
            {file} -> {new}, rename please
            Give {file} the name {new}.
            turn the file name {file} into {new}
        """),
        results=results("""
            {"renamed": true} => {file} is now called {new}.
        """),
    ),
    ToolKind(
        key="list_folder",
        domain="files",
        names=("list_files", "ls", "list_directory", "folder_contents"),
        descriptions=lines("""
            List the files in a folder.
            Shows what a directory contains.
        """),
        params=(string("path folder directory dir", "folder", "The folder.|Directory to list"),),
        requests=lines("""
            What files are in {folder}?
            ~list the files in {folder}
            ~show me the contents of the folder {folder}
            ls {folder}
            whats in {folder}
            Which files does {folder} contain?
            ~list everything under {folder}
            How many files are there in {folder}?
            Is the folder {folder} empty?
            give me a listing of {folder}
        """),
        results=results("""
            {"files": ["{a:file}", "{b:file}"]} => There are two files: {a} and {b}.
            {"count": {n:2..400}} => There are {n} files.
        """),
    ),
    ToolKind(
        key="search_docs",
        domain="search",
        names=("search_docs", "docs_search", "query_documentation", "manual_lookup"),
        descriptions=lines("""
            Search the product documentation.
            Finds a page in the manual.
        """),
        params=(string("query question topic", "topic", "What to look for.|Question"),),
        requests=lines("""
            ~search the documentation for {topic}
            ~look in the docs for {topic}
            What do the docs say about {topic}?
            docs {topic}
            Is {topic} explained in the manual?
            ~find the page about {topic} in the documentation
            where in the docs is {topic} described
            Does our documentation mention {topic}?
            ~check the manual for {topic}
            i need the documentation page on {topic}
        """),
        results=results("""
            {"page": "{p:noun}", "section": {n:1..30}} => See section {n} of the page {p}.
        """),
    ),
    ToolKind(
        key="news",
        domain="search",
        names=("get_news", "news_headlines", "latest_news", "headlines"),
        descriptions=lines("""
            Latest news about a topic.
            Headlines of today.
        """),
        params=(string("topic subject about", "topic", "The topic.|What the news are about"),),
        requests=lines("""
            What's the latest news about {topic}?
            ~show me the news on {topic}
            any news about {topic}?
            {topic} news
            ~read me the headlines about {topic}
            What happened with {topic} lately?
            ~get me today's headlines on {topic}
            Did anything happen around {topic} today? Check the news.
            whats new in the papers on {topic}
            I want to read the latest about {topic}, news only.
        """),
        pairs=lines("""
            ~show me the news on {topic} and on {topic2}
        """),
        results=results("""
            {"headline": "{h:title}"} => The latest headline is: {h}.
        """),
    ),
    ToolKind(
        key="open_url",
        domain="search",
        names=("open_url", "fetch_page", "browse", "visit_website"),
        descriptions=lines("""
            Open a web page.
            Fetches a page by its address.
        """),
        params=(string("url address link", "url", "Address of the page.|The URL"),),
        requests=lines("""
            ~open {url}
            ~go to {url}
            ~fetch the page {url}
            What is on {url}?
            visit {url}
            ~load {url}
            Please have a look at {url}.
            whats the title of {url}
            I want to see {url}.
            take me to {url}
        """),
        pairs=lines("""
            ~open {url} and {url2}
        """),
        results=results("""
            {"title": "{h:title}"} => The page is titled {h}.
            {"status": {code:200|301|403|404|500}} => The page answers with status {code}.
        """),
    ),
    # Language
    ToolKind(
        key="translate",
        domain="language",
        names=("translate", "translate_text", "translator", "get_translation"),
        descriptions=lines("""
            Translate a text into another language.
            Translation of words and sentences.
        """),
        params=(
            string("text input sentence phrase", "sentence", "Text to translate.|The text"),
            string(
                "target_language language to lang", "language", "Language to translate into.|Target language"
            ),
        ),
        requests=lines("""
            ~translate "{sentence}" into {language}
            How do you say "{sentence}" in {language}?
            ~say "{sentence}" in {language}
            {language} for "{sentence}"?
            what is "{sentence}" in {language}
            ~translate this to {language}: {sentence}
            in {language} please: {sentence}
            I need "{sentence}" in {language}.
            My neighbor only speaks {language}. How do I say "{sentence}"?
            {sentence} -> {language}
            Put "{sentence}" into {language} for me.
        """),
        pairs=lines("""
            ~translate "{sentence}" into {language} and "{sentence2}" into {language2}
        """),
        results=results("""
            {"translation": "{a:pseudo} {b:pseudo}"} => In {language} that is: {a} {b}
        """),
    ),
    ToolKind(
        key="dictionary",
        domain="language",
        names=("define_word", "dictionary", "lookup_word", "word_definition"),
        descriptions=lines("""
            Look up a word in the dictionary.
            Definition of a word.
        """),
        params=(string("word term", "word", "The word.|Word to define"),),
        requests=lines("""
            What does the word "{word}" mean?
            ~look up "{word}" in the dictionary
            ~define {word}
            define the word {word}
            meaning of "{word}"
            dictionary: {word}
            I don't know the word "{word}". Look it up please.
            ~find the definition of "{word}"
            what's the dictionary definition of {word}
            How does the dictionary explain "{word}"?
        """),
        pairs=lines("""
            ~look up "{word}" and "{word2}" in the dictionary
        """),
        results=results("""
            {"word": "{word}", "part_of_speech": "{p:noun|verb|adjective|adverb}"} =>\
                The word {word} is used as a {p}.
        """),
    ),
    ToolKind(
        key="spell_check",
        domain="language",
        names=("spell_check", "check_spelling", "spelling", "correct_spelling"),
        descriptions=lines("""
            Check the spelling of a word.
            Says whether a word is spelled correctly.
        """),
        params=(string("word text input", "word:pseudo", "The word.|What to check"),),
        requests=lines("""
            Is "{word}" spelled correctly?
            ~check the spelling of "{word}"
            ~spell check {word}
            did i spell {word} right
            How do you spell "{word}"? Is that right?
            spelling of {word}?
            I wrote "{word}". Any spelling mistake?
            ~verify that "{word}" is spelled right
            {word}: right spelling or not?
            Check "{word}" for typos.
        """),
        results=results("""
            {"correct": true} => Yes, {word} is spelled correctly.
            {"correct": false, "suggestion": "{s:word}"} => No, it should be {s}.
        """),
    ),
    ToolKind(
        key="synonyms",
        domain="language",
        names=("find_synonyms", "thesaurus", "synonym_lookup", "similar_words"),
        descriptions=lines("""
            Find words with the same meaning.
            Synonyms of a word.
        """),
        params=(string("word term", "word", "The word."),),
        requests=lines("""
            What's another word for "{word}"?
            ~find synonyms of "{word}"
            ~give me a synonym for {word}
            synonyms {word}
            Which words mean the same as "{word}"?
            i keep writing "{word}", what else can i say
            ~suggest a different word for "{word}"
            Other words for "{word}"?
            thesaurus entry for {word}
            Is there a synonym for "{word}"?
        """),
        results=results("""
            {"synonyms": ["{a:word}", "{b:word}"]} => Other words for {word} are {a} and {b}.
        """),
    ),
    # Maps and travel
    ToolKind(
        key="route",
        domain="maps",
        names=("get_route", "get_directions", "plan_route", "navigate"),
        descriptions=lines("""
            Directions from one place to another.
            Plans a route.
        """),
        params=(
            string("origin start from", "origin:city", "Where it starts.|Start"),
            string("destination end to", "destination:city", "Where it ends.|Destination"),
            choice("mode travel_mode by", "mode", "How to travel.", "car|bike|foot|train|bus", False),
        ),
        requests=lines("""
            How do I get from {origin} to {destination}?
            ~give me directions from {origin} to {destination}
            ~plan a route from {origin} to {destination} by {mode}
            route {origin} {destination}
            What is the best way from {origin} to {destination} by {mode}?
            i'm in {origin} and need to get to {destination}
            ~navigate from {origin} to {destination}
            Which road do I take from {origin} to {destination}?
            directions {origin} -> {destination} by {mode}
            I want to go to {destination}, starting in {origin}. Which way?
            ~find me a way to {destination} from {origin}
        """),
        pairs=lines("""
            ~give me directions from {origin} to {destination} and from {origin2} to {destination2}
        """),
        results=results("""
            {"minutes": {n:5..600}, "via": "{v:city}"} =>\
                The way from {origin} to {destination} takes {n} minutes via {v}.
        """),
    ),
    ToolKind(
        key="distance",
        domain="maps",
        names=("get_distance", "distance_between", "measure_distance", "how_far"),
        descriptions=lines("""
            Distance between two cities.
            How far two places are apart.
        """),
        params=(
            string("origin from place_a start", "origin:city", "First place.|From"),
            string("destination to place_b end", "destination:city", "Second place.|To"),
        ),
        requests=lines("""
            How far is it from {origin} to {destination}?
            What's the distance between {origin} and {destination}?
            distance {origin} {destination}
            ~measure the distance from {origin} to {destination}
            how many km is it from {origin} to {destination}
            How far apart are {origin} and {destination}?
            Is {destination} far from {origin}? How many kilometers?
            ~tell me how far {destination} is from {origin}
            {origin} to {destination}, how far
            kilometers between {origin} and {destination}?
        """),
        results=results("""
            {"km": {n:5..9000}} => It is {n} km from {origin} to {destination}.
            {"distance_km": {n:5..9000}, "distance_miles": {m:3..6000}} =>\
                It is {n} km, or {m} miles, from {origin} to {destination}.
        """),
    ),
    ToolKind(
        key="nearby",
        domain="maps",
        names=("find_nearby", "nearby_places", "places_near", "local_search"),
        descriptions=lines("""
            Find places of a kind near a location.
            What is around a place: pharmacies, banks, petrol stations.
        """),
        params=(
            string(
                "kind type category",
                "kind:pharmacy|bank|gas station|supermarket|bakery|library|hospital|post office|"
                "playground|gym|hairdresser|museum",
                "Kind of place.|What to look for",
            ),
            string("near location city around", "city", "Where.|Near which place"),
        ),
        requests=lines("""
            Is there a {kind} near {city}?
            ~find a {kind} near {city}
            nearest {kind} in {city}
            Where is the next {kind} in {city}?
            ~look for a {kind} around {city}
            i need a {kind} in {city}
            {kind} near {city}?
            Which {kind} is closest in {city}?
            I'm in {city} and looking for a {kind}.
            any {kind} in {city} that is close
        """),
        results=results("""
            {"name": "{p:restaurant}", "meters": {m:50..3000}} => The nearest {kind} is {p}, {m} meters away.
        """),
    ),
    ToolKind(
        key="traffic",
        domain="maps",
        names=("get_traffic", "traffic_report", "road_conditions", "check_traffic"),
        descriptions=lines("""
            Traffic in a city.
            Jams and delays on the roads.
        """),
        params=(string("city area location", "city", "The city.|Area"),),
        requests=lines("""
            How is the traffic in {city}?
            Are there traffic jams in {city}?
            ~check the traffic in {city}
            traffic {city}
            Is it slow on the roads in {city} right now?
            how bad is rush hour in {city} today
            ~give me a traffic report for {city}
            I have to drive through {city}. Any jams?
            Are the roads in {city} clear?
            traffic report {city} pls
        """),
        results=results("""
            {"delay_minutes": {n:0..90}} => The delay in {city} is {n} minutes.
        """),
    ),
    ToolKind(
        key="parking",
        domain="maps",
        names=("find_parking", "parking_search", "parking_spots", "park_near"),
        descriptions=lines("""
            Find free parking.
            Parking spots near an address.
        """),
        params=(
            string("location address near", "address", "Where to park.|Address"),
            integer("hours duration", "hours:2..12", "For how many hours.", False),
        ),
        requests=lines("""
            Where can I park near {address}?
            ~find parking near {address}
            ~find me a parking spot at {address} for {hours} hours
            parking {address}
            Is there free parking around {address}?
            need to park {hours} hours near {address}
            I'm driving to {address}. Where do I leave the car?
            Any parking garage close to {address}?
            ~look for a place to park close to {address}
            parking for {hours} hours, {address}
        """),
        results=results("""
            {"spots": {n:0..200}, "price": {p:1.00..30.00}} =>\
                There are {n} free spots near {address}, for {p}.
        """),
    ),
    ToolKind(
        key="taxi",
        domain="travel",
        names=("book_taxi", "order_cab", "call_taxi", "request_ride"),
        descriptions=lines("""
            Order a taxi.
            Books a ride from an address.
        """),
        params=(
            string("pickup address from", "pickup:address", "Where to pick up.|Pickup address"),
            string("time when at", "time", "When.|Pickup time", False),
            integer("passengers people", "people:2..8", "Number of passengers.", False),
        ),
        requests=lines("""
            ~order a taxi to pick me up at {pickup}
            ~get me a cab at {pickup}
            I need a taxi at {pickup} at {time}.
            taxi {pickup} {time}
            ~book a taxi for {people} people from {pickup}
            Send a taxi to {pickup} please.
            We are {people} people at {pickup} and need a ride at {time}.
            cab to {pickup} pls
            Could a taxi come to {pickup} at {time}?
            i'm at {pickup}, call me a taxi
        """),
        results=results("""
            {"arrives_in": {n:2..40}, "plate": "{pl:plate}"} => The taxi {pl} arrives in {n} minutes.
        """),
    ),
    ToolKind(
        key="flights",
        domain="travel",
        names=("search_flights", "find_flights", "flight_search", "list_flights"),
        descriptions=lines("""
            Search flights between two cities.
            Finds flights on a date.
        """),
        params=(
            string("origin from departure", "origin:city", "City of departure.|From"),
            string("destination to arrival", "destination:city", "City of arrival.|To"),
            string("date departure_date day", "date", "Date of the flight.|When", False),
        ),
        requests=lines("""
            ~find flights from {origin} to {destination}
            ~search for a flight from {origin} to {destination} on {date}
            Are there flights from {origin} to {destination} on {date}?
            flights {origin} {destination} {date}
            i want to fly from {origin} to {destination}
            I need to fly to {destination} from {origin} on {date}. What flights are there?
            cheapest flight {origin} to {destination}
            What does it cost to fly from {origin} to {destination} on {date}?
            ~show me planes from {origin} to {destination}
            Which airlines fly from {origin} to {destination}?
            flying {origin} -> {destination}, {date}, options?
        """),
        pairs=lines("""
            ~find flights from {origin} to {destination} and from {origin2} to {destination2}
        """),
        results=results("""
            {"flight": "{f:flight}", "price": {p:30..900}} =>\
                The best flight from {origin} to {destination} is {f}, for {p}.
            {"flights": {n:0..30}} => There are {n} flights from {origin} to {destination}.
        """),
    ),
    ToolKind(
        key="flight_status",
        domain="travel",
        names=("flight_status", "track_flight", "get_flight_status", "flight_info"),
        descriptions=lines("""
            Status of a flight.
            Says whether a flight is on time.
        """),
        params=(string("flight_number flight number", "flight", "Number of the flight.|The flight"),),
        requests=lines("""
            Is flight {flight} on time?
            What's the status of flight {flight}?
            flight status {flight}
            ~check flight {flight}
            has {flight} landed yet
            ~tell me whether flight {flight} is delayed
            My mother arrives on flight {flight}. Is it late?
            Where is flight {flight} now?
            when does flight {flight} arrive
            ~track the flight {flight}
            Did flight {flight} take off?
        """),
        pairs=lines("""
            Are flights {flight} and {flight2} on time?
            ~check flights {flight} and {flight2}
        """),
        results=results("""
            {"status": "on time"} => Flight {flight} is on time.
            {"status": "delayed", "minutes": {n:10..300}} => Flight {flight} is delayed by {n} minutes.
            {"status": "landed"} => Flight {flight} has landed.
        """),
    ),
    ToolKind(
        key="trains",
        domain="travel",
        names=("search_trains", "train_times", "train_schedule", "next_train"),
        descriptions=lines("""
            Train connections between two cities.
            When trains leave.
        """),
        params=(
            string("origin from start", "origin:city", "Where the trip starts.|From"),
            string("destination to end", "destination:city", "Where it ends.|To"),
            string("time after departure_time", "time", "Earliest departure.", False),
        ),
        requests=lines("""
            When is the next train from {origin} to {destination}?
            ~find a train from {origin} to {destination} after {time}
            train {origin} to {destination}
            Which trains go from {origin} to {destination}?
            ~look up trains from {origin} to {destination}
            i need a train to {destination}, leaving {origin} after {time}
            trains {origin} {destination} from {time}
            When does the train to {destination} leave {origin}?
            Is there a train from {origin} to {destination} after {time}?
            How do the trains run between {origin} and {destination}?
        """),
        results=results("""
            {"departure": "{t:time}", "platform": {p:1..24}} =>\
                The next train from {origin} to {destination} leaves at {t} from platform {p}.
        """),
    ),
    ToolKind(
        key="hotels",
        domain="travel",
        names=("search_hotels", "find_hotel", "hotel_search", "list_hotels"),
        descriptions=lines("""
            Find hotels in a city.
            Searches for a place to stay.
        """),
        params=(
            string("city location destination", "city", "The city.|Where"),
            integer("nights stay", "nights:2..14", "Number of nights.", False),
            number("max_price budget", "budget:40..400", "Highest price for a night.", False),
        ),
        requests=lines("""
            ~find a hotel in {city}
            ~find me a hotel in {city} for {nights} nights
            hotels in {city}
            I need a room in {city} for {nights} nights.
            ~search for hotels in {city} under {budget} a night
            hotel {city} max {budget}
            Where can I sleep in {city}?
            any hotel in {city} for {nights} nights below {budget} per night?
            We stay in {city} for {nights} nights and need a hotel.
            What hotels are there in {city}?
        """),
        pairs=lines("""
            ~find hotels in {city} and in {city2}
        """),
        results=results("""
            {"hotel": "{h:restaurant}", "price": {p:30..400}} => I found {h} in {city}, for {p} a night.
            {"hotels": {n:0..90}} => I found {n} hotels in {city}.
        """),
    ),
    ToolKind(
        key="rent_car",
        domain="travel",
        names=("rent_car", "car_rental", "book_car", "hire_car"),
        descriptions=lines("""
            Rent a car.
            Books a rental car in a city for some days.
        """),
        params=(
            string("city location pickup", "city", "Where to pick it up.|City"),
            integer("days duration", "days:2..21", "For how many days.|Days"),
            choice("size class car_class", "size", "Size of the car.", "small|medium|large|van", False),
        ),
        requests=lines("""
            ~rent a car in {city} for {days} days
            ~book a {size} rental car in {city} for {days} days
            i need a car in {city}, {days} days
            rental car {city} {days} days {size}
            We want to hire a {size} car in {city} for {days} days.
            car hire in {city} for {days} days please
            Can I rent a car in {city} for {days} days?
            A {size} car in {city} would be good, {days} days.
            ~reserve a car for {days} days in {city}
            I'm in {city} for {days} days and want to drive myself. Get me a rental.
        """),
        results=results("""
            {"car": "{c:adjective} {d:noun}", "total": {p:60..900}} => The car costs {p} for {days} days.
        """),
    ),
    ToolKind(
        key="bus_next",
        domain="travel",
        names=("next_bus", "bus_departures", "bus_times", "bus_schedule"),
        descriptions=lines("""
            Next departure of a bus line.
            When the next bus comes.
        """),
        params=(
            integer("line bus number route", "line:1..320", "Number of the line.|Bus line"),
            string("stop station", "stop:address", "The stop.", False),
        ),
        requests=lines("""
            When does bus {line} leave?
            When is the next {line} bus?
            bus {line} next departure
            ~check when bus {line} comes to {stop}
            i'm at {stop}, when does line {line} arrive
            ~look up the next bus on line {line}
            Did I miss bus {line}? When's the next one?
            line {line} from {stop}
            How long until bus {line} gets to {stop}?
            next bus number {line} please
        """),
        results=results("""
            {"minutes": {n:1..45}} => Bus {line} leaves in {n} minutes.
        """),
    ),
    # Food
    ToolKind(
        key="restaurants",
        domain="food",
        names=("find_restaurants", "restaurant_search", "search_restaurants", "places_to_eat"),
        descriptions=lines("""
            Find restaurants in a city.
            Searches places to eat by cuisine.
        """),
        params=(
            string("city location where", "city", "The city.|Where"),
            string("cuisine kind food", "cuisine", "Kind of food.|Cuisine", False),
        ),
        requests=lines("""
            ~find a restaurant in {city}
            ~find a {cuisine} restaurant in {city}
            Where can I eat {cuisine} food in {city}?
            restaurants in {city}
            good {cuisine} places in {city}?
            i'm hungry and in {city}
            Where should we eat in {city} tonight?
            ~recommend a {cuisine} restaurant in {city}
            {cuisine} food in {city}
            Is there a {cuisine} restaurant in {city}?
            We are in {city} and would like {cuisine} food.
        """),
        pairs=lines("""
            ~find a {cuisine} restaurant in {city} and a {cuisine2} one in {city2}
        """),
        results=results("""
            {"name": "{r:restaurant}", "rating": {s:1.0..5.0}} => Try {r} in {city}, rated {s}.
        """),
    ),
    ToolKind(
        key="book_table",
        domain="food",
        names=("book_table", "reserve_table", "table_reservation", "make_reservation"),
        descriptions=lines("""
            Book a table in a restaurant.
            Makes a reservation for dinner or lunch.
        """),
        params=(
            string("restaurant place name", "restaurant", "The restaurant.|Where"),
            integer("people guests party_size persons", "people:2..14", "How many people.|Number of guests"),
            string("time at when", "time", "At what time.|Time"),
        ),
        requests=lines("""
            ~book a table at {restaurant} for {people} people at {time}
            ~reserve a table for {people} at {restaurant}, {time}
            table for {people} at {restaurant} at {time}
            We'd like to eat at {restaurant} at {time}. There are {people} of us.
            {restaurant}, {people} people, {time}. Please reserve.
            i want to take {people} people to {restaurant} at {time}, book it
            Can we get a table for {people} at {restaurant} at {time}?
            ~make a reservation at {restaurant} for {people} guests at {time}
            reservation {restaurant} {time} {people} persons
            Dinner at {restaurant} at {time} for {people}, please book it.
        """),
        results=results("""
            {"confirmed": true, "code": "{c:code}"} => Your table at {restaurant} is booked; the code is {c}.
            {"confirmed": false} => {restaurant} has no table at {time}.
        """),
    ),
    ToolKind(
        key="recipe",
        domain="food",
        names=("find_recipe", "get_recipe", "recipe_search", "cookbook"),
        descriptions=lines("""
            Find a recipe for a dish.
            Looks in the cookbook.
        """),
        params=(
            string("dish food name", "food", "The dish.|What to cook"),
            integer("servings people", "people:2..10", "For how many people.", False),
        ),
        requests=lines("""
            How do I make {food}?
            ~find a recipe for {food}
            recipe for {food}
            I want to cook {food} for {people} people.
            ~give me a recipe with {food}
            What do I need to cook {food}?
            {food} recipe for {people}
            ~look up how to cook {food}
            any good recipe with {food}?
            what goes into {food}? show me a recipe
        """),
        pairs=lines("""
            ~find recipes for {food} and {food2}
        """),
        results=results("""
            {"recipe": "{r:adjective} {food}", "minutes": {n:10..180}} => You can cook it in {n} minutes.
        """),
    ),
    ToolKind(
        key="order_food",
        domain="food",
        names=("order_food", "food_delivery", "order_meal", "takeaway_order"),
        descriptions=lines("""
            Order food from a restaurant.
            Has a meal delivered.
        """),
        params=(
            string("dish meal item", "food", "What to order.|The dish"),
            string("restaurant from place", "restaurant", "From which restaurant.|Restaurant"),
            integer("quantity count portions", "count:2..9", "How many portions.", False),
        ),
        requests=lines("""
            ~order {food} from {restaurant}
            ~order {count} portions of {food} from {restaurant}
            ~get me some {food} from {restaurant}
            I'd like {food} delivered from {restaurant}.
            {count} {food} from {restaurant} please
            takeaway: {food}, {restaurant}
            We want {count} times {food} from {restaurant}, delivered.
            hungry. {food} from {restaurant} please
            Have {restaurant} bring us {food}.
            Could {restaurant} deliver {food} for us?
        """),
        results=results("""
            {"order": "{c:code}", "minutes": {n:15..90}} => The {food} arrives in {n} minutes.
        """),
    ),
    ToolKind(
        key="nutrition",
        domain="food",
        names=("nutrition_info", "calories", "get_calories", "food_facts"),
        descriptions=lines("""
            Calories of a food.
            Nutrition facts for an amount in grams.
        """),
        params=(
            string("food name item", "food", "The food.|Which food"),
            integer("grams weight", "grams:20..800", "Weight in grams.", False),
        ),
        requests=lines("""
            How many calories are in {food}?
            calories {food}
            How many calories do {grams} grams of {food} have?
            ~look up the nutrition facts of {food}
            is {food} healthy? how many calories
            {grams}g {food} calories
            I ate {grams} grams of {food}. How many calories was that?
            ~tell me the calories of {food}
            Does {food} have a lot of calories?
            nutrition info for {grams} grams of {food}
        """),
        pairs=lines("""
            What has more calories, {food} or {food2}?
        """),
        results=results("""
            {"calories": {n:10..900}} => That is {n} calories.
            {"calories": {n:10..900}, "protein": {p:0..60}} => That is {n} calories and {p} grams of protein.
        """),
    ),
    # Shops
    ToolKind(
        key="place_order",
        domain="shop",
        names=("place_order", "create_order", "buy_item", "purchase"),
        descriptions=lines("""
            Order a product.
            Buys an article in the shop.
        """),
        params=(
            string("product item article", "item", "What to buy.|The product"),
            integer("quantity count amount", "count:2..50", "How many.|Quantity", False),
            string("color colour", "color", "Color of the product.", False),
        ),
        requests=lines("""
            ~order a {item}
            ~buy a {item} in {color}
            ~order the {item} {count} times
            I'd like to buy a {item}.
            we need a new {item}, order one
            quantity {count}, product {item}, color {color}. place the order
            ~place an order for a {item}, quantity {count}
            a {item} in {color} please, order it
            My old {item} broke. Buy me a new one.
            purchase {item}, quantity {count}
            I want the {item} in {color}. Order it.
        """),
        pairs=lines("""
            ~order a {item} and a {item2}
            ~buy a {item} in {color} and a {item2} in {color2}
        """),
        results=results("""
            {"order_id": "{o:code}", "total": {p:5.00..900.00}} => Your order is {o} and costs {p}.
            {"order_id": "{o:code}"} => Your order is {o}.
        """),
    ),
    ToolKind(
        key="order_status",
        domain="shop",
        names=("order_status", "get_order", "check_order", "lookup_order"),
        descriptions=lines("""
            Status of an order.
            Looks up an order by its number.
        """),
        params=(string("order_id order order_number id", "order:code", "Number of the order.|The order"),),
        requests=lines("""
            What is the status of order {order}?
            Where is my order {order}?
            order status {order}
            ~check order {order}
            has order {order} been sent
            ~look up my order {order}
            I ordered something, the number is {order}. Has it been sent?
            How far along is order {order}?
            my order {order} is still not here, what is going on with it
            Is order {order} ready?
        """),
        pairs=lines("""
            What is the status of orders {order} and {order2}?
            ~check the orders {order} and {order2}
        """),
        results=results("""
            {"status": "{s:processing|packed|shipped|delivered|on hold}"} => Order {order} is {s}.
            {"state": "{s:processing|packed|shipped|delivered|on hold}", "expected": "{d:date}"} =>\
                Order {order} is {s} and is expected on {d}.
        """),
    ),
    ToolKind(
        key="refund",
        domain="shop",
        names=("refund_order", "issue_refund", "create_refund", "refund"),
        descriptions=lines("""
            Refund an order.
            Gives the customer the money back.
        """),
        params=(
            string("order_id order order_number", "order:code", "Number of the order.|Which order"),
            string("reason why", "reason", "Why it is refunded.|Reason", False),
        ),
        requests=lines("""
            ~refund order {order}
            ~issue a refund for order {order}, reason: {reason}
            I want my money back for order {order}.
            refund {order}: {reason}
            i'd like a refund for {order}, reason: {reason}
            Can I get a refund for order {order}?
            The customer wants a refund on order {order}.
            ~give the money back for order {order} because "{reason}"
            Order {order} must be refunded. Reason: "{reason}".
            please return the money of order {order}
        """),
        results=results("""
            {"refunded": {p:5.00..900.00}} => {p} has been refunded for order {order}.
        """),
    ),
    ToolKind(
        key="cancel_order",
        domain="shop",
        names=("cancel_order", "stop_order", "abort_order", "order_cancel"),
        descriptions=lines("""
            Cancel an order that is not sent yet.
            Stops an order.
        """),
        params=(string("order_id order id", "order:code", "Number of the order.|Order to cancel"),),
        requests=lines("""
            ~cancel order {order}
            ~cancel my order {order}
            I don't want order {order} any more. Cancel it.
            cancel {order} pls
            stop order {order} before it is sent
            Order {order} was a mistake, please call it off.
            I changed my mind about order {order}. Can it be cancelled?
            ~call off the order {order}
            please don't send order {order}, cancel it
            Can you still cancel {order}?
        """),
        results=results("""
            {"cancelled": true} => Order {order} is cancelled.
            {"cancelled": false} => Order {order} can no longer be cancelled.
        """),
    ),
    ToolKind(
        key="track_parcel",
        domain="shop",
        names=("track_parcel", "track_package", "delivery_status", "shipment_tracking"),
        descriptions=lines("""
            Track a parcel.
            Where a package is right now.
        """),
        params=(
            string(
                "tracking_number tracking_id parcel", "parcel:code", "Tracking number.|Number of the parcel"
            ),
        ),
        requests=lines("""
            Where is my parcel {parcel}?
            ~track the package {parcel}
            ~track parcel {parcel}
            tracking number {parcel}
            when will the package {parcel} arrive
            Has my delivery {parcel} left the warehouse?
            I'm waiting for a parcel, tracking number {parcel}.
            ~find out where package {parcel} is
            package {parcel} status
            Is parcel {parcel} coming today?
        """),
        pairs=lines("""
            ~track the parcels {parcel} and {parcel2}
        """),
        results=results("""
            {"location": "{c:city}", "eta": "{d:date}"} => The parcel is in {c} and should arrive on {d}.
            {"location": "{c:city}"} => The parcel is in {c}.
        """),
    ),
    ToolKind(
        key="inventory",
        domain="shop",
        names=("check_inventory", "stock_level", "get_stock", "inventory_lookup"),
        descriptions=lines("""
            How many pieces of a product are in stock.
            Looks into the warehouse.
        """),
        params=(
            string("product item article", "item", "The product.|Which article"),
            string("warehouse store location", "city", "Which warehouse.", False),
        ),
        requests=lines("""
            How many of the {item} do we have in stock?
            Is the {item} in stock?
            ~check the stock of the {item} in {city}
            stock {item}
            do we still have any {item} in the {city} warehouse
            ~look up the inventory for {item}
            inventory of {item} in {city}?
            Are we running out of the article {item}?
            how many {item} are left in stock
            Does the store in {city} have the {item} in stock?
        """),
        pairs=lines("""
            How many of the {item} and of the {item2} are in stock?
        """),
        results=results("""
            {"stock": {n:0..900}} => There are {n} in stock.
        """),
    ),
    ToolKind(
        key="product_price",
        domain="shop",
        names=("get_price", "product_price", "price_check", "lookup_price"),
        descriptions=lines("""
            Price of a product in the shop.
            What an article costs.
        """),
        params=(string("product item article", "item", "The product.|Article"),),
        requests=lines("""
            How much is the {item}?
            What does the {item} cost?
            price of the {item}
            ~check the price of the {item}
            how much do you want for the {item}
            ~tell me what a {item} costs in the shop
            What's the price for a {item}?
            a {item}, how much
            Is the {item} expensive? What is the price?
            ~look up the {item} price
        """),
        pairs=lines("""
            What do the {item} and the {item2} cost?
            price of the {item} and the {item2}
        """),
        results=results("""
            {"price": {p:1.00..900.00}} => The {item} costs {p}.
            {"price": {p:1.00..900.00}, "discount": {d:5..60}} =>\
                The {item} costs {p}, with a discount of {d}%.
        """),
    ),
    ToolKind(
        key="coupon",
        domain="shop",
        names=("apply_coupon", "redeem_code", "use_voucher", "check_coupon"),
        descriptions=lines("""
            Apply a coupon code to the cart.
            Redeems a voucher.
        """),
        params=(string("code coupon voucher", "coupon:code", "The code.|Coupon code"),),
        requests=lines("""
            ~apply the coupon {coupon}
            ~use the voucher {coupon}
            I have a coupon: {coupon}
            coupon code {coupon}
            does the voucher {coupon} still work
            ~redeem {coupon}
            My friend gave me the discount code {coupon}. Use it please.
            Take off the discount with code {coupon}.
            promo code {coupon} please
            Can I pay less with the code {coupon}?
        """),
        results=results("""
            {"discount": {n:5..70}} => The coupon takes off {n}%.
            {"valid": false} => The coupon {coupon} is not valid.
        """),
    ),
    ToolKind(
        key="cart_add",
        domain="shop",
        names=("add_to_cart", "cart_add", "basket_add", "put_in_cart"),
        descriptions=lines("""
            Put a product into the shopping cart.
            Adds an article to the basket.
        """),
        params=(
            string("product item article", "item", "The product.|What to add"),
            integer("quantity count", "count:2..20", "How many.", False),
        ),
        requests=lines("""
            ~add the {item} to my cart
            ~put a {item} in the basket
            ~put the {item} in my cart {count} times
            cart: {item}
            add {item} to basket
            The {item} looks good, into the cart with it.
            I'll take {count} of the {item}, put them in my cart.
            {item} x {count} into the cart please
            Into my basket: one {item}.
            I want the {item} in my cart, but don't buy it yet.
        """),
        pairs=lines("""
            ~add the {item} and the {item2} to my cart
        """),
        results=results("""
            {"cart_items": {n:1..30}, "cart_total": {p:5.00..900.00}} => Your cart has {n} items for {p}.
        """),
    ),
    # Work
    ToolKind(
        key="vacation",
        domain="work",
        names=("request_vacation", "vacation_request", "ask_leave", "submit_time_off"),
        descriptions=lines("""
            Ask for vacation.
            Hands in a request for days off.
        """),
        params=(
            string("start_date from start", "start:date", "First day.|From"),
            string("end_date to until", "end:date", "Last day.|Until"),
            string("reason comment", "reason", "Why.", False),
        ),
        requests=lines("""
            ~request vacation from {start} to {end}
            ~hand in my holiday from {start} until {end}
            I want to take leave from {start} to {end}.
            vacation {start} - {end}
            days off from {start} to {end}, reason: {reason}
            i'd like to be off from {start} until {end}
            ~submit a leave request from {start} to {end}, reason: {reason}
            I won't be in the office from {start} to {end}. Ask for the days off.
            Please apply for time off between {start} and {end}.
            Can I have holidays from {start} to {end}?
        """),
        results=results("""
            {"request": "{c:code}", "days": {n:1..25}} => Your request {c} for {n} days is in.
        """),
    ),
    ToolKind(
        key="vacation_left",
        domain="work",
        names=("vacation_days_left", "remaining_leave", "leave_balance", "holiday_balance"),
        descriptions=lines("""
            Number of vacation days an employee has left.
            Remaining days off.
        """),
        params=(string("employee name person", "name", "Name of the employee.|Who"),),
        requests=lines("""
            How many vacation days does {name} have left?
            remaining leave of {name}
            ~check how many days off {name} still has
            How much holiday does {name} have left?
            vacation balance {name}
            does {name} have any vacation days left
            ~look up the leave balance of {name}
            {name} asks how many days off remain.
            Days of leave left for {name}?
            Can {name} still take days off this year? How many?
        """),
        pairs=lines("""
            How many vacation days do {name} and {name2} have left?
        """),
        results=results("""
            {"days_left": {n:0..30}} => {name} has {n} vacation days left.
        """),
    ),
    ToolKind(
        key="poll",
        domain="work",
        names=("create_poll", "start_poll", "new_vote", "make_survey"),
        descriptions=lines("""
            Start a poll with two options.
            Lets people vote.
        """),
        params=(
            string("option_a first choice_a", "first_option:food", "First option."),
            string("option_b second choice_b", "second_option:food", "Second option."),
        ),
        requests=lines("""
            ~start a poll: {first_option} or {second_option}
            ~make a poll between {first_option} and {second_option}
            poll: {first_option} vs {second_option}
            ~let the team vote on {first_option} or {second_option}
            We can't agree on {first_option} or {second_option}. Make a poll.
            {first_option} or {second_option}? start a vote
            I want people to vote: {first_option} or {second_option}
            ~set up a vote with the options {first_option} and {second_option}
            Ask everyone in a poll whether they want {first_option} or {second_option}.
            new poll, options {first_option} and {second_option}
        """),
        results=results("""
            {"poll": "{u:url}"} => The poll is open at {u}.
        """),
    ),
    ToolKind(
        key="expense",
        domain="work",
        names=("submit_expense", "add_expense", "log_expense", "expense_report"),
        descriptions=lines("""
            Hand in an expense.
            Records money spent for work.
        """),
        params=(
            number("amount sum cost", "amount:price", "How much.|Amount"),
            string(
                "category purpose what",
                "category:hotel|taxi|train ticket|lunch|office supplies|flight|conference fee|parking|"
                "software",
                "What it was for.|Category",
            ),
        ),
        requests=lines("""
            ~submit an expense of {amount} for {category}
            ~add {amount} for {category} to my expenses
            expense: {category}, {amount}
            I spent {amount} on {category} for work.
            log {amount} for {category} as an expense
            i paid {amount} for {category}, put it in the expense report
            {category} cost me {amount}. I want it back from the company.
            ~file an expense: {amount}, {category}
            Please record {amount} of travel costs under {category}.
            expenses {category} {amount}
        """),
        pairs=lines("""
            ~add {amount} for {category} and {amount2} for {category2} to my expenses
        """),
        results=results("""
            {"expense": "{c:code}"} => Your expense is recorded as {c}.
        """),
    ),
    ToolKind(
        key="meeting_room",
        domain="work",
        names=("book_room", "reserve_room", "meeting_room", "room_booking"),
        descriptions=lines("""
            Book a meeting room in the office.
            Reserves a room for a time.
        """),
        params=(
            string("room name", "hall:noun", "Name of the room.|Which room"),
            string("time start at", "time", "From when.|Time"),
            integer("hours duration", "hours:2..8", "For how many hours.", False),
        ),
        requests=lines("""
            ~book the meeting room {hall} at {time}
            ~reserve room {hall} for {hours} hours at {time}
            meeting room {hall}, {time}
            Is room {hall} free at {time}? Book it.
            i need the {hall} room at {time} for {hours} hours
            We want to meet in room {hall} at {time}. Reserve it please.
            ~get us the meeting room {hall} from {time} for {hours} hours
            room {hall} {time} {hours}h
            Room {hall} should be ours at {time}.
            Please block the meeting room {hall} at {time}.
        """),
        results=results("""
            {"booked": true} => Room {hall} is booked for {time}.
            {"booked": false} => Room {hall} is taken at {time}.
        """),
    ),
    ToolKind(
        key="log_hours",
        domain="work",
        names=("log_hours", "track_time", "timesheet_add", "record_hours"),
        descriptions=lines("""
            Record working hours for a project.
            Adds hours to the timesheet.
        """),
        params=(
            string("project customer client", "company", "The project.|Customer"),
            number("hours duration", "hours:0.5..9.5", "How many hours.|Hours worked"),
        ),
        requests=lines("""
            ~log {hours} hours for {company}
            ~add {hours} hours to my timesheet for {company}
            I worked {hours} hours for {company} today.
            timesheet {company} {hours}
            {hours} hours on the {company} project, please record them
            put {hours}h on {company}
            ~record {hours} hours of work on {company}
            Today I spent {hours} hours on {company}. Write that into the timesheet.
            book {hours} hours on project {company}
            My hours for {company}: {hours}
        """),
        pairs=lines("""
            ~log {hours} hours for {company} and {hours2} hours for {company2}
        """),
        results=results("""
            {"week_total": {n:1.0..50.0}} => You have {n} hours this week.
        """),
    ),
    ToolKind(
        key="send_invoice",
        domain="work",
        names=("create_invoice", "send_invoice", "bill_customer", "new_invoice"),
        descriptions=lines("""
            Write an invoice for a customer.
            Bills a company.
        """),
        params=(
            string("customer company client", "company", "Who is billed.|Customer"),
            number("amount total sum", "amount:price", "Amount of the invoice.|How much"),
            string("due_date due", "date", "When it is due.", False),
        ),
        requests=lines("""
            ~send {company} an invoice over {amount}
            ~bill {company} {amount}
            ~create an invoice of {amount} for {company}, due {date}
            invoice {company} {amount}
            {company} owes us {amount}. Send them an invoice.
            write an invoice: {company}, {amount}, due on {date}
            We finished the work for {company}. Invoice them {amount}.
            ~make out a bill of {amount} to {company}
            Please charge {company} {amount}, payable by {date}.
            new invoice for {company} over {amount}
        """),
        results=results("""
            {"invoice": "{c:code}"} => Invoice {c} was sent to {company}.
        """),
    ),
    ToolKind(
        key="print_file",
        domain="work",
        names=("print_document", "print_file", "send_to_printer", "printer"),
        descriptions=lines("""
            Print a file.
            Sends a document to the printer.
        """),
        params=(
            string("file document path", "file", "File to print.|The document"),
            integer("copies count", "copies:2..30", "Number of copies.", False),
            flag("color in_color", "ink", "Whether to print in color.", "in color|in black and white", False),
        ),
        requests=lines("""
            ~print {file}
            ~print {copies} copies of {file}
            ~print {file} {ink}
            print {file} {copies} times
            I need {file} on paper.
            send {file} to the printer
            {copies} copies of {file} {ink} please
            ~make {copies} copies of {file} on the printer
            Please get me a printout of {file} {ink}.
            Could {file} be printed?
        """),
        pairs=lines("""
            ~print {file} and {file2}
        """),
        results=results("""
            {"pages": {n:1..90}} => {n} pages are being printed.
            {"error": "out of paper"} => The printer is out of paper.
        """),
    ),
    ToolKind(
        key="colleague",
        domain="work",
        names=("find_employee", "employee_lookup", "staff_directory", "get_employee"),
        descriptions=lines("""
            Look up an employee in the directory.
            Department and office of a colleague.
        """),
        params=(string("name employee person", "name", "Name of the employee.|Who"),),
        requests=lines("""
            Which department does {name} work in?
            In which office does {name} sit?
            ~look up {name} in the staff directory
            employee {name}
            who is the manager of {name}
            ~find out what {name} does in our company
            Where in the building do I find our colleague {name}?
            Is {name} an employee here?
            What is {name}'s position in the company?
            staff directory: {name}
        """),
        pairs=lines("""
            ~look up {name} and {name2} in the staff directory
        """),
        results=results("""
            {"department": "{d:sales|legal|support|finance|research|design}", "office": {n:1..900}} =>\
                {name} works in {d}, office {n}.
            {"manager": "{m:name}"} => The manager of {name} is {m}.
        """),
    ),
    # People and accounts
    ToolKind(
        key="user_lookup",
        domain="users",
        names=("get_user", "find_user", "user_lookup", "fetch_user"),
        descriptions=lines("""
            Get a user from the database by id.
            Looks up a user account.
        """),
        params=(integer("user_id id uid", "id:1..99999", "Id of the user.|The user id"),),
        requests=lines("""
            ~look up user {id}
            ~get user {id} from the database
            Who is user {id}?
            user {id}
            ~fetch the account with id {id}
            which user has the id {id}
            ~find the user with the number {id}
            Show me the data we have on user {id}.
            I need the record of user {id}.
            details for user id {id} please
        """),
        pairs=lines("""
            Who are the users {id} and {id2}?
            ~look up users {id} and {id2}
        """),
        results=results("""
            {"id": {id}, "name": "{n:name}", "email": "{m:email}"} => User {id} is {n}, with the address {m}.
            {"name": "{n:name}"} => User {id} is {n}.
            {"user": null} => There is no user {id}.
        """),
    ),
    ToolKind(
        key="user_create",
        domain="users",
        names=("create_user", "add_user", "register_user", "new_account"),
        descriptions=lines("""
            Create a user account.
            Registers a new user.
        """),
        params=(
            string("name full_name username", "name", "Name of the user."),
            string("email mail", "email", "Email address of the user."),
            choice("role group", "role", "Role of the user.", "admin|editor|viewer|guest|owner", False),
        ),
        requests=lines("""
            ~create an account for {name} with the address {email}
            ~add {name} ({email}) as a user
            new user: {name}, {email}, {role}
            ~register {name} as {role}, email {email}
            {name} needs an account, the mail is {email}
            Please set up a user for {name}, {email}.
            We have a new colleague, {name}. Address {email}, role {role}.
            user account for {name} / {email} pls
            Make {name} a user with the role {role}. The email is {email}.
            I want to add a user called {name} with email {email}.
        """),
        results=results("""
            {"user_id": {n:1..99999}} => The account of {name} is number {n}.
        """),
    ),
    ToolKind(
        key="user_disable",
        domain="users",
        names=("disable_user", "deactivate_account", "suspend_user", "ban_user"),
        descriptions=lines("""
            Disable a user account.
            The user can no longer log in.
        """),
        params=(string("username user account login", "login:pseudo", "Name of the account.|Which user"),),
        requests=lines("""
            ~disable the account {login}
            ~deactivate user {login}
            ~suspend {login}
            User {login} has left. Close the account.
            block the account of {login}
            {login} should not be able to log in any more
            ban {login}
            ~lock out the user {login}
            The account {login} was hacked, switch it off.
            Please take away the access of user {login}.
        """),
        pairs=lines("""
            ~disable the accounts {login} and {login2}
        """),
        results=results("""
            {"active": false} => The account {login} is disabled.
        """),
    ),
    ToolKind(
        key="password_reset",
        domain="users",
        names=("reset_password", "password_reset", "send_reset_link", "recover_account"),
        descriptions=lines("""
            Reset the password of an account.
            Sends a link to set a new password.
        """),
        params=(string("email account address", "email", "Email address of the account.|Account"),),
        requests=lines("""
            I forgot my password. My address is {email}.
            ~reset the password of {email}
            ~send a reset link to {email}
            password reset {email}
            {email} can't log in and needs a new password
            i can't get into my account {email}, forgot the password
            ~reset the password for the account {email}
            The password of {email} has to be reset.
            Please help {email} with a lost password.
            new password for {email} please
        """),
        results=results("""
            {"link_sent": true} => A reset link was sent to {email}.
        """),
    ),
    ToolKind(
        key="make_password",
        domain="users",
        names=("generate_password", "make_password", "random_password", "new_password"),
        descriptions=lines("""
            Generate a random password.
            Makes up a safe password of some length.
        """),
        params=(
            integer("length characters size", "length:8..40", "How many characters.|Length"),
            flag(
                "symbols special_characters",
                "symbols",
                "Whether symbols may occur.",
                "with symbols|without symbols",
                False,
            ),
        ),
        requests=lines("""
            ~generate a password with {length} characters
            ~make me a password of {length} characters {symbols}
            random password {length} chars
            I need a new password, {length} characters long.
            password, length {length}, {symbols}
            ~give me a strong {length} character password
            ~come up with a password of length {length}
            Can I have a safe password with {length} characters {symbols}?
            {length} characters, random password please
            My password is weak. Create one with {length} characters.
        """),
        results=results("""
            {"password": "{a:pseudo}{n:100..999}"} => Your new password is {a}{n}
        """),
    ),
    # Software
    ToolKind(
        key="ticket_create",
        domain="dev",
        names=("create_ticket", "open_ticket", "create_issue", "report_bug", "file_bug"),
        descriptions=lines("""
            Open a ticket.
            Files a bug report.
        """),
        params=(
            string("title summary subject", "bug", "What is wrong.|Title of the ticket"),
            choice("priority severity", "priority", "How urgent it is.", "low|medium|high|critical", False),
        ),
        requests=lines("""
            ~open a ticket: {bug}
            ~create a ticket saying "{bug}"
            ~file a bug: {bug}
            bug: {bug}
            ~report a {priority} priority bug: {bug}
            There is a bug: {bug}. Open a ticket.
            new issue "{bug}", priority {priority}
            i found a bug, {bug}, please file it
            We need a ticket for this: {bug}
            Ticket with {priority} priority: "{bug}"
            Please write an issue titled "{bug}".
        """),
        pairs=lines("""
            ~open two tickets: "{bug}" and "{bug2}"
        """),
        results=results("""
            {"ticket": "{c:code}"} => The ticket is {c}.
            {"id": {n:1..9999}, "url": "{u:url}"} => The ticket is number {n}, at {u}.
        """),
    ),
    ToolKind(
        key="ticket_close",
        domain="dev",
        names=("close_ticket", "resolve_ticket", "close_issue", "finish_ticket"),
        descriptions=lines("""
            Close a ticket.
            Marks an issue as resolved.
        """),
        params=(
            string("ticket ticket_id issue id", "ticket:code", "The ticket.|Number of the ticket"),
            choice(
                "resolution outcome", "resolution", "How it ended.", "fixed|duplicate|invalid|wontfix", False
            ),
        ),
        requests=lines("""
            ~close ticket {ticket}
            ~close ticket {ticket} as {resolution}
            ~resolve the issue {ticket}
            ticket {ticket} is {resolution}, close it
            We're done with ticket {ticket}.
            close {ticket}
            Ticket {ticket} can be closed.
            ~mark ticket {ticket} as {resolution} and close it
            issue {ticket} is solved, please close
            {ticket} is no longer a problem, close the ticket.
        """),
        pairs=lines("""
            ~close the tickets {ticket} and {ticket2}
        """),
        results=results("""
            {"closed": true} => Ticket {ticket} is closed.
        """),
    ),
    ToolKind(
        key="ticket_assign",
        domain="dev",
        names=("assign_ticket", "set_assignee", "give_ticket", "reassign_issue"),
        descriptions=lines("""
            Assign a ticket to a person.
            Changes who works on an issue.
        """),
        params=(
            string("ticket ticket_id issue", "ticket:code", "The ticket.|Which ticket"),
            string("assignee person user to", "name", "Who gets it.|Person"),
        ),
        requests=lines("""
            ~assign ticket {ticket} to {name}
            ~give ticket {ticket} to {name}
            {name} should take ticket {ticket}
            ticket {ticket} -> {name}
            ~hand over the issue {ticket} to {name}
            Let {name} work on ticket {ticket}.
            Who has ticket {ticket}? Make it {name}.
            assign {name} to {ticket}
            {name} is going to handle ticket {ticket}, set that.
            Ticket {ticket} belongs to {name} from now on.
        """),
        results=results("""
            {"assignee": "{name}"} => Ticket {ticket} is assigned to {name}.
        """),
    ),
    ToolKind(
        key="deploy",
        domain="dev",
        names=("deploy", "deploy_service", "release", "ship_version"),
        descriptions=lines("""
            Deploy a version of a service.
            Rolls out a release.
        """),
        params=(
            string("service app application", "service", "What to deploy.|The service"),
            string("version tag release", "version", "Version to deploy.|Version"),
            choice("environment env target", "env", "Where to.", "staging|production|testing|dev", False),
        ),
        requests=lines("""
            ~deploy {service} {version} to {env}
            ~deploy version {version} of {service}
            ~roll out {service} {version}
            ship {service} {version}
            Version {version} of {service} is ready. Deploy it to {env}.
            deploy {service} {version} on {env} pls
            I want {service} at {version} in {env}.
            ~release {version} of {service}
            Can we get {service} {version} onto {env}?
            {service}: go live with {version}
        """),
        pairs=lines("""
            ~deploy {service} {version} and {service2} {version2}
        """),
        results=results("""
            {"deployed": true, "seconds": {n:5..600}} => {service} {version} was deployed in {n} seconds.
            {"deployed": false} => The deployment of {service} {version} failed.
        """),
    ),
    ToolKind(
        key="rollback",
        domain="dev",
        names=("rollback", "revert_deploy", "undo_release", "roll_back_service"),
        descriptions=lines("""
            Roll a service back to the version before.
            Undoes the last deployment.
        """),
        params=(string("service app application", "service", "Which service.|The service"),),
        requests=lines("""
            ~roll back {service}
            ~undo the last deployment of {service}
            ~revert {service} to the previous version
            rollback {service}
            The new {service} is broken. Go back to the old version.
            take {service} back to the version before
            {service} was fine until the release, roll it back
            Please restore the previous release of {service}.
            I want the old version of {service} back.
            last deploy of {service} was bad, undo it
        """),
        results=results("""
            {"version": "{v:version}"} => {service} is back at {v}.
        """),
    ),
    ToolKind(
        key="restart_service",
        domain="ops",
        names=("restart_service", "service_restart", "reboot_service", "bounce"),
        descriptions=lines("""
            Restart a service.
            Stops and starts a program again.
        """),
        params=(
            string("service name program", "service", "The service.|What to restart"),
            string("host server machine", "host", "On which machine.", False),
        ),
        requests=lines("""
            ~restart {service}
            ~restart {service} on {host}
            ~bounce the {service} service
            {service} hangs. Restart it.
            restart {service} pls
            The service {service} on {host} needs a restart.
            {service} does not answer, kick it
            ~stop and start {service} again on {host}
            Give {service} a fresh start, please restart it.
            can {service} be restarted
        """),
        pairs=lines("""
            ~restart {service} and {service2}
        """),
        results=results("""
            {"status": "running", "pid": {n:100..65000}} => {service} is running again, with process id {n}.
            {"restarted": true} => {service} is running again.
        """),
    ),
    ToolKind(
        key="logs",
        domain="ops",
        names=("get_logs", "tail_logs", "read_logs", "fetch_logs"),
        descriptions=lines("""
            Read the last log lines of a service.
            Logs of a program.
        """),
        params=(
            string("service name source", "service", "Whose logs.|The service"),
            integer("lines count limit", "count:5..500", "How many lines.|Number of lines", False),
            choice("level severity", "level", "Only lines of this level.", "debug|info|warning|error", False),
        ),
        requests=lines("""
            ~show me the logs of {service}
            ~get the last {count} log lines of {service}
            logs {service}
            What do the logs of {service} say?
            ~fetch {level} logs of {service}
            tail the {service} log, {count} lines
            Are there any lines of level {level} in the {service} log?
            ~pull {count} lines of {level} logs from {service}
            i need to see what {service} logged
            {service} behaves oddly. What is in its log?
        """),
        results=results("""
            {"last_line": "{b:bug}"} => The last line says: {b}
            {"errors": {n:0..500}} => The log of {service} has {n} errors.
        """),
    ),
    ToolKind(
        key="metrics",
        domain="ops",
        names=("get_metric", "query_metrics", "metric_value", "read_metric"),
        descriptions=lines("""
            Current value of a metric on a host.
            Reads CPU, memory, disk or network load.
        """),
        params=(
            choice(
                "metric name", "metric", "Which metric.|The metric", "cpu|memory|disk|network|latency|uptime"
            ),
            string("host server machine", "host", "The host.|On which machine"),
        ),
        requests=lines("""
            What is the {metric} load on {host}?
            ~check {metric} on {host}
            {metric} {host}
            ~read the {metric} metric of {host}
            How is {host} doing? I mean {metric}.
            how high is {metric} on {host}
            Give me the current {metric} value for {host}.
            {host} feels slow. What about {metric}?
            ~look at the {metric} of the machine {host}
            is {metric} on {host} ok
        """),
        pairs=lines("""
            ~check {metric} on {host} and {metric2} on {host2}
        """),
        results=results("""
            {"value": {n:0..100}, "unit": "percent"} => The {metric} value on {host} is {n} percent.
        """),
    ),
    ToolKind(
        key="ping_host",
        domain="ops",
        names=("ping", "ping_host", "check_host", "is_alive"),
        descriptions=lines("""
            Check whether a machine answers.
            Pings a host.
        """),
        params=(string("host server machine target", "host", "The machine.|Host to ping"),),
        requests=lines("""
            ~ping {host}
            Is {host} up?
            ~check whether {host} answers
            is {host} down
            ping {host} pls
            Can you reach {host}?
            ~see if the machine {host} is alive
            {host} seems offline. Is it?
            Does {host} respond?
            is server {host} reachable
        """),
        pairs=lines("""
            ~ping {host} and {host2}
            Are {host} and {host2} up?
        """),
        results=results("""
            {"alive": true, "ms": {n:1..300}} => {host} answers after {n} ms.
            {"alive": false} => {host} does not answer.
        """),
    ),
    ToolKind(
        key="dns_lookup",
        domain="ops",
        names=("dns_lookup", "resolve_domain", "get_ip", "nslookup"),
        descriptions=lines("""
            IP address of a domain.
            Resolves a host name.
        """),
        params=(string("domain hostname name", "domain:url", "The domain.|Name to resolve"),),
        requests=lines("""
            What is the IP address of {domain}?
            ~resolve {domain}
            ~look up the ip of {domain}
            dns {domain}
            which ip does {domain} have
            Where does {domain} point to?
            nslookup {domain}
            ~do a DNS lookup for {domain}
            I need the address record of {domain}.
            to which ip does {domain} resolve
        """),
        results=results("""
            {"ip": "{ip}"} => {domain} has the address {ip}.
        """),
    ),
    ToolKind(
        key="scale_service",
        domain="ops",
        names=("scale_service", "set_replicas", "scale", "resize_deployment"),
        descriptions=lines("""
            Set the number of replicas of a service.
            Scales a service up or down.
        """),
        params=(
            string("service name deployment", "service", "The service.|What to scale"),
            integer("replicas count instances", "count:2..64", "Number of replicas.|How many"),
        ),
        requests=lines("""
            ~scale {service} to {count} replicas
            ~run {count} instances of {service}
            {service}: {count} replicas
            We expect many visitors. {service} to {count} instances.
            ~set the replicas of {service} to {count}
            scale {service} {count}
            I want {count} copies of {service} running.
            bring {service} to {count} replicas please
            {service} needs {count} instances
            Change {service} so that it has {count} replicas.
        """),
        pairs=lines("""
            ~scale {service} to {count} and {service2} to {count2} replicas
        """),
        results=results("""
            {"replicas": {count}} => {service} has {count} replicas.
        """),
    ),
    ToolKind(
        key="backup",
        domain="ops",
        names=("create_backup", "backup", "start_backup", "save_snapshot"),
        descriptions=lines("""
            Back up a folder.
            Makes a copy of the data.
        """),
        params=(
            string("path folder source", "folder", "What to back up.|Folder"),
            flag("compress zip", "packed", "Whether to compress it.", "compressed|uncompressed", False),
        ),
        requests=lines("""
            ~back up {folder}
            ~make a backup of {folder}
            ~make a {packed} backup of {folder}
            backup {folder}
            I don't want to lose {folder}. Back it up.
            save a copy of the folder {folder}
            {packed} backup of {folder} please
            ~start a backup of the folder {folder}
            Please keep {folder} safe with a backup.
            is {folder} backed up? if not do it, {packed}
        """),
        results=results("""
            {"size_gb": {n:0.1..90.0}} => The backup of {folder} takes {n} GB.
        """),
    ),
    ToolKind(
        key="run_tests",
        domain="dev",
        names=("run_tests", "test_suite", "execute_tests", "start_tests"),
        descriptions=lines("""
            Run the tests of a branch.
            Starts the test suite.
        """),
        params=(
            string("branch ref", "branch", "The branch.|Which branch"),
            flag("fast quick", "speed", "Skip the slow tests.", "only the fast ones|all of them", False),
        ),
        requests=lines("""
            ~run the tests on {branch}
            ~run the test suite for branch {branch}
            Do the tests pass on {branch}?
            tests {branch}
            ~run the tests on {branch}, {speed}
            start the tests of {branch}, {speed}
            I pushed to {branch}. Run the tests please.
            are the tests green on {branch}
            ~test the branch {branch}
            Check that nothing is broken on {branch}: run the tests, {speed}.
        """),
        results=results("""
            {"passed": {a:5..900}, "failed": {b:0..40}} => On {branch}, {a} tests passed and {b} failed.
        """),
    ),
    ToolKind(
        key="merge_request",
        domain="dev",
        names=("merge_pull_request", "merge_pr", "merge_request", "accept_merge"),
        descriptions=lines("""
            Merge a pull request.
            Accepts a change by its number.
        """),
        params=(integer("number pr id", "pr:2..9999", "Number of the pull request.|Which one"),),
        requests=lines("""
            ~merge pull request {pr}
            ~merge PR {pr}
            merge {pr}
            Pull request {pr} looks good. Merge it.
            pr {pr} can go in
            ~accept the pull request number {pr}
            PR {pr} is approved, please merge.
            get pull request {pr} merged
            I reviewed {pr}, merge the pull request.
            Bring in PR {pr}.
        """),
        pairs=lines("""
            ~merge the pull requests {pr} and {pr2}
        """),
        results=results("""
            {"merged": true, "commit": "{c:code}"} => Pull request {pr} is merged as {c}.
            {"merged": false, "reason": "conflict"} => Pull request {pr} has a conflict.
        """),
    ),
    ToolKind(
        key="feature_flag",
        domain="dev",
        names=("set_feature_flag", "toggle_feature", "feature_flag", "switch_feature"),
        descriptions=lines("""
            Turn a feature flag on or off.
            Enables or disables a feature.
        """),
        params=(
            string("flag feature name", "feature:noun", "Name of the flag.|Which feature"),
            flag("enabled on", "action", "True to enable.|Whether it is on", "enable|disable"),
        ),
        requests=lines("""
            ~{action} the feature flag {feature}
            ~{action} the {feature} feature
            feature {feature}: {action}
            {action} flag {feature}
            We want to {action} the feature {feature} for everyone.
            {action} the {feature} flag please
            Customers complain, {action} the feature {feature}.
            time to {action} the {feature} feature
            For the launch, {action} the flag {feature}.
            the product team asks to {action} the flag {feature}
        """),
        results=results("""
            {"flag": "{feature}", "updated": true} => The flag {feature} is updated.
        """),
    ),
    ToolKind(
        key="sql_query",
        domain="dev",
        names=("run_query", "query_database", "sql", "count_rows"),
        descriptions=lines("""
            Count the rows of a table in the database.
            Runs a query on a table.
        """),
        params=(
            string(
                "table name",
                "table:users|orders|payments|sessions|products|events|invoices|reviews|messages|devices",
                "The table.|Which table",
            ),
            string("country filter where", "country", "Only rows from this country.", False),
        ),
        requests=lines("""
            How many rows does the table {table} have?
            ~count the rows in {table}
            ~count the rows in the {table} table from {country}
            rows in {table}?
            How many {table} do we have in the database?
            how many {table} are from {country}, look in the database
            ~query the {table} table
            Database: number of {table} from {country}
            Is the table {table} big?
            ~get the size of table {table} for {country}
        """),
        pairs=lines("""
            ~count the rows in {table} and in {table2}
        """),
        results=results("""
            {"rows": {n:0..900000}} => The table {table} has {n} rows.
        """),
    ),
    # Machines and models
    ToolKind(
        key="gpu_status",
        domain="cluster",
        names=("gpu_status", "get_gpu", "gpu_info", "nvidia_status"),
        descriptions=lines("""
            Memory and load of a GPU.
            Status of one graphics card.
        """),
        params=(
            integer("index gpu device", "gpu:0..15", "Number of the GPU.|Which GPU"),
            string("host node machine", "host", "On which node.", False),
        ),
        requests=lines("""
            How busy is GPU {gpu}?
            ~check GPU {gpu} on {host}
            gpu {gpu} status
            How much memory is free on GPU {gpu}?
            ~show the load of gpu {gpu}
            is gpu {gpu} on {host} free
            What is GPU {gpu} doing right now?
            how hot is gpu {gpu}
            ~look at GPU {gpu} of node {host}
            Is anybody using GPU {gpu}?
        """),
        pairs=lines("""
            How busy are GPU {gpu} and GPU {gpu2}?
        """),
        results=results("""
            {"used_gb": {u:0..80}, "total_gb": 80} => GPU {gpu} uses {u} of 80 GB.
            {"load": {n:0..100}, "celsius": {c:25..90}} => GPU {gpu} is at {n}% load and {c} degrees.
        """),
    ),
    ToolKind(
        key="cluster_status",
        domain="cluster",
        names=("cluster_status", "node_status", "get_cluster", "cluster_health"),
        descriptions=lines("""
            Health of the cluster.
            How many nodes are up.
        """),
        params=(),
        requests=lines("""
            How is the cluster doing?
            ~check the cluster
            cluster status
            Are all nodes up?
            ~show me the state of the cluster
            is the cluster healthy
            How many nodes are down?
            any dead nodes in the cluster
            ~give me an overview of the cluster
            Is everything fine with our cluster?
        """),
        results=results("""
            {"nodes_up": {a:1..200}, "nodes_down": {b:0..9}} => {a} nodes are up and {b} are down.
        """),
    ),
    ToolKind(
        key="submit_job",
        domain="cluster",
        names=("submit_job", "start_job", "queue_job", "run_job"),
        descriptions=lines("""
            Submit a job to the cluster.
            Runs a script on some GPUs.
        """),
        params=(
            string("script file program", "file", "Script to run.|The script"),
            integer("gpus num_gpus gpu_count", "gpus:2..64", "How many GPUs.", False),
        ),
        requests=lines("""
            ~submit a job that runs {file}
            ~run {file} on {gpus} GPUs
            job: {file}, {gpus} gpus
            ~queue {file} on the cluster
            Start {file} on the cluster with {gpus} GPUs.
            I want to run {file} as a job.
            ~launch {file} as a cluster job
            put {file} into the job queue, {gpus} gpus
            Please schedule {file} on {gpus} GPUs.
            train with {file} on the cluster
        """),
        results=results("""
            {"job": {n:100..99999}} => The job is number {n}.
            {"job_id": {n:100..99999}, "position": {p:1..60}} =>\
                The job is number {n}, at place {p} in the queue.
        """),
    ),
    ToolKind(
        key="cancel_job",
        domain="cluster",
        names=("cancel_job", "kill_job", "stop_job", "abort_job"),
        descriptions=lines("""
            Cancel a running job.
            Stops a job by its number.
        """),
        params=(integer("job_id job id", "job:100..99999", "Number of the job.|The job"),),
        requests=lines("""
            ~cancel job {job}
            ~kill job {job}
            ~stop the job {job}
            Job {job} takes too long. Cancel it.
            job {job} is wrong, abort it
            kill {job}
            I don't need job {job} any more.
            please abort job number {job}
            ~take job {job} off the cluster
            End job {job} please.
        """),
        pairs=lines("""
            ~cancel the jobs {job} and {job2}
        """),
        results=results("""
            {"cancelled": true} => Job {job} is cancelled.
        """),
    ),
    ToolKind(
        key="model_list",
        domain="cluster",
        names=("list_models", "available_models", "get_models", "show_models"),
        descriptions=lines("""
            List the models that are loaded.
            Which models the server offers.
        """),
        params=(),
        requests=lines("""
            ~list the loaded models
            Which models are loaded on the server?
            ~show me all models on the server
            models?
            what models does the server have loaded
            Is any model loaded at the moment?
            ~get the list of models from the server
            Which models can I pick from on this server?
            available models please
            list models
        """),
        results=results("""
            {"models": ["{a:model}", "{b:model}"]} => Two models are loaded: {a} and {b}.
            {"models": ["{a:model}"]} => One model is loaded: {a}.
        """),
    ),
    ToolKind(
        key="load_model",
        domain="cluster",
        names=("load_model", "start_model", "activate_model", "serve_model"),
        descriptions=lines("""
            Load a model onto the server.
            Makes a model ready for requests.
        """),
        params=(
            string("model name model_name", "model", "Name of the model.|Which model"),
            choice("dtype precision", "dtype", "Number format.", "float16|bfloat16|float32|int8|int4", False),
        ),
        requests=lines("""
            ~load the model {model}
            ~load {model} in {dtype}
            ~start serving {model}
            load {model}
            I want to use {model}. Load it please.
            {model} in {dtype} please, load it
            Make the model {model} available.
            bring up {model} on the server
            Could {model} be loaded with {dtype}?
            the server should run {model}
        """),
        results=results("""
            {"loaded": true, "gb": {n:0.5..140.0}} => {model} is loaded and takes {n} GB.
        """),
    ),
    ToolKind(
        key="generate_image",
        domain="images",
        names=("generate_image", "create_image", "draw_picture", "text_to_image"),
        descriptions=lines("""
            Draw a picture from a description.
            Generates an image.
        """),
        params=(
            string("prompt description text", "picture", "What to draw.|Description of the picture"),
            choice("size format", "size", "Size of the picture.", "small|medium|large|square|wide", False),
        ),
        requests=lines("""
            ~draw {picture}
            ~generate an image of {picture}
            ~make a picture of {picture}
            image: {picture}
            i want a picture of {picture}
            ~paint {picture} for me
            a {size} image of {picture} please
            Can I have a {size} picture of {picture}?
            Show me how {picture} would look. Draw it.
            picture of {picture}, {size}
            For my birthday card I need {picture}. Draw it.
        """),
        results=results("""
            {"file": "{f:file}"} => The picture is saved as {f}.
            {"image_url": "{u:url}"} => The picture is at {u}.
        """),
    ),
    ToolKind(
        key="transcribe",
        domain="images",
        names=("transcribe_audio", "speech_to_text", "transcribe", "audio_to_text"),
        descriptions=lines("""
            Turn a sound file into text.
            Writes down what is said in a recording.
        """),
        params=(
            string("file audio recording", "audio:file", "The recording.|Sound file"),
            string("language lang", "language", "Language spoken.", False),
        ),
        requests=lines("""
            ~transcribe {audio}
            ~write down what is said in {audio}
            ~turn the recording {audio} into text
            transcript of {audio}
            i need {audio} as text, it is in {language}
            What do they say in the recording {audio}? It's {language}.
            transcribe {audio} ({language})
            Please type out the recording {audio}.
            The interview is in {audio}. Make a transcript.
            speech to text for {audio}
        """),
        results=results("""
            {"text": "{t:sentence}"} => The recording says: {t}
        """),
    ),
    ToolKind(
        key="sensor_read",
        domain="sensors",
        names=("read_sensor", "sensor_value", "get_sensor", "poll_sensor"),
        descriptions=lines("""
            Read a sensor.
            Current value of a sensor in a place.
        """),
        params=(
            choice(
                "sensor quantity kind",
                "kind",
                "What is measured.|Kind of sensor",
                "temperature|humidity|pressure|noise|light|dust|vibration",
            ),
            string("location room place", "room", "Where the sensor is.|Place"),
        ),
        requests=lines("""
            What does the {kind} sensor in the {room} say?
            ~read the {kind} sensor in the {room}
            {kind} in the {room}
            ~measure the {kind} in the {room}
            What is the {kind} level in the {room}?
            how is the {kind} in the {room}
            sensor {kind} {room}
            ~check the {kind} in the {room}
            I want to know the {kind} in the {room} right now.
            Give me the current {kind} reading of the {room}.
        """),
        pairs=lines("""
            ~read the {kind} sensor in the {room} and the {kind2} sensor in the {room2}
        """),
        results=results("""
            {"reading": {n:0.0..100.0}} => The {kind} sensor in the {room} reads {n}.
        """),
    ),
    ToolKind(
        key="stop_machine",
        domain="sensors",
        names=("stop_machine", "emergency_stop", "halt_machine", "machine_off"),
        descriptions=lines("""
            Stop a machine in the factory.
            Halts a machine at once.
        """),
        params=(
            integer("machine machine_id number", "machine:1..200", "Number of the machine.|Which machine"),
        ),
        requests=lines("""
            ~stop machine {machine}
            ~halt machine number {machine}
            Machine {machine} is smoking! Stop it!
            stop {machine} now, the machine is stuck
            machine {machine} off
            ~shut down machine {machine}
            Emergency on machine {machine}, stop it.
            Bring machine {machine} to a halt.
            machine {machine} makes strange noises, please stop it
            I need machine {machine} to stand still.
        """),
        pairs=lines("""
            ~stop the machines {machine} and {machine2}
        """),
        results=results("""
            {"machine": {machine}, "running": false} => Machine {machine} stands still.
        """),
    ),
    # Sport and health
    ToolKind(
        key="match_score",
        domain="sport",
        names=("get_score", "match_result", "live_score", "game_score"),
        descriptions=lines("""
            Score of a team's latest game.
            Result of a match.
        """),
        params=(string("team club side", "team", "The team.|Which team"),),
        requests=lines("""
            How did the {team} play?
            What's the score of the {team} game?
            {team} score
            Did the {team} win?
            ~check the result of the {team}
            how are the {team} doing in the match
            ~look up the latest {team} result
            Are the {team} winning?
            I missed the game of the {team}. How did it end?
            result {team} please
        """),
        pairs=lines("""
            How did the {team} and the {team2} play?
        """),
        results=results("""
            {"score": "{a:0..9}-{b:0..9}", "opponent": "{o:team}"} =>\
                The {team} played {a}-{b} against the {o}.
        """),
    ),
    ToolKind(
        key="standings",
        domain="sport",
        names=("league_table", "get_standings", "team_rank", "standings"),
        descriptions=lines("""
            Place of a team in the league.
            League table.
        """),
        params=(string("team club", "team", "The team."),),
        requests=lines("""
            What place are the {team} in?
            Where are the {team} in the table?
            standings {team}
            ~look up the rank of the {team} in the league
            are the {team} still first in the league
            ~check where the {team} stand in the league
            How high are the {team} in the standings?
            position of the {team} in the table
            Could the {team} still win the league? What place do they have?
            {team} league rank
        """),
        results=results("""
            {"rank": {r:1..24}, "points": {p:0..99}} => The {team} are in place {r} with {p} points.
        """),
    ),
    ToolKind(
        key="log_workout",
        domain="health",
        names=("log_workout", "add_workout", "record_exercise", "track_workout"),
        descriptions=lines("""
            Record a workout.
            Adds exercise to the training diary.
        """),
        params=(
            choice(
                "activity exercise kind",
                "activity",
                "Kind of exercise.|What was done",
                "running|swimming|cycling|rowing|yoga|hiking|climbing|skating",
            ),
            integer("minutes duration", "minutes:5..180", "For how many minutes.|Minutes"),
        ),
        requests=lines("""
            ~log {minutes} minutes of {activity}
            ~record a workout: {activity}, {minutes} minutes
            I did {minutes} minutes of {activity}. Write it down in my diary.
            workout {activity} {minutes} min
            {minutes} minutes {activity} today, log it
            ~add {minutes} minutes of {activity} to my training diary
            just finished {activity}, {minutes} minutes
            My workout today was {activity} for {minutes} minutes.
            put {activity} in the training log, {minutes} min
            Please track {activity}: {minutes} minutes.
        """),
        pairs=lines("""
            ~log {minutes} minutes of {activity} and {minutes2} minutes of {activity2}
        """),
        results=results("""
            {"burned": {n:20..1500}} => You burned {n} calories.
        """),
    ),
    ToolKind(
        key="steps",
        domain="health",
        names=("get_steps", "step_count", "steps_walked", "pedometer"),
        descriptions=lines("""
            Number of steps walked on a day.
            Step counter.
        """),
        params=(
            string(
                "day date",
                "day:today|yesterday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
                "Which day.|The day",
            ),
        ),
        requests=lines("""
            How many steps did I walk {day}?
            steps {day}
            ~check my steps for {day}
            how far did i walk {day}, in steps
            ~show my step count for {day}
            Did I walk enough {day}? How many steps?
            my step count {day}
            How active was I {day}? Count my steps.
            ~look up how many steps I took {day}
            step counter {day} please
        """),
        results=results("""
            {"steps": {n:100..30000}} => You walked {n} steps.
        """),
    ),
    ToolKind(
        key="doctor",
        domain="health",
        names=("book_doctor", "doctor_appointment", "make_appointment", "see_doctor"),
        descriptions=lines("""
            Make an appointment with a doctor.
            Books a visit to a medical practice.
        """),
        params=(
            choice(
                "specialty doctor kind",
                "kind",
                "Kind of doctor.|Specialty",
                "dentist|eye doctor|pediatrician|surgeon|dermatologist|cardiologist|vet",
            ),
            string("day date", "day", "When.|Day of the visit"),
        ),
        requests=lines("""
            ~make an appointment with a {kind} for {day}
            ~book me a {kind} visit {day}
            I need to see a {kind} {day}.
            {kind} appointment {day}
            Can a {kind} see me {day}?
            i want to go to the {kind} {day}
            ~get me in with the {kind} {day}
            An appointment at the {kind} for {day}, please.
            Is the {kind} free {day}? Book it.
            it hurts, i need a {kind} {day}
        """),
        results=results("""
            {"time": "{t:time}", "doctor": "{n:name}"} => {n} can see you at {t}.
        """),
    ),
    ToolKind(
        key="pharmacy",
        domain="health",
        names=("refill_prescription", "order_medicine", "pharmacy_order", "renew_prescription"),
        descriptions=lines("""
            Refill a prescription.
            Orders medicine again by the prescription number.
        """),
        params=(string("prescription number id", "rx:code", "Number of the prescription.|Prescription"),),
        requests=lines("""
            ~refill prescription {rx}
            ~renew my prescription {rx}
            I'm out of pills, the prescription is {rx}.
            refill {rx}
            my medicine is running out, prescription {rx}
            ~order the medicine from prescription {rx} again
            Prescription {rx} needs a refill.
            Can the pharmacy fill {rx} again?
            please get prescription number {rx} refilled
            I need more of my tablets, prescription {rx}.
        """),
        results=results("""
            {"ready_on": "{d:date}"} => Your medicine is ready on {d}.
        """),
    ),
    # Odds and ends
    ToolKind(
        key="qr_code",
        domain="odds",
        names=("make_qr_code", "qr_code", "generate_qr", "create_qr"),
        descriptions=lines("""
            Make a QR code for a link.
            Creates a code to scan.
        """),
        params=(string("url link content data", "url", "What the code holds.|The link"),),
        requests=lines("""
            ~make a QR code for {url}
            ~create a qr code that leads to {url}
            qr code {url}
            I need a QR code of {url} for a poster.
            turn {url} into a qr code
            Guests should scan a code to get to {url}. Make one.
            ~generate a QR code with the link {url}
            a qr code linking to {url} please
            Can {url} be made scannable with a QR code?
            QR for {url}
        """),
        results=results("""
            {"image": "{f:file}"} => The QR code is saved as {f}.
        """),
    ),
    ToolKind(
        key="shorten_link",
        domain="odds",
        names=("shorten_url", "short_link", "url_shortener", "make_short_link"),
        descriptions=lines("""
            Make a long link short.
            Shortens a URL.
        """),
        params=(string("url link long_url", "url", "The long link.|Link to shorten"),),
        requests=lines("""
            ~shorten {url}
            ~make {url} shorter
            short link for {url}
            {url} is too long, shorten it
            ~give me a short link to {url}
            The link {url} doesn't fit. Make a short one.
            i need a short version of {url}
            Shrink the link {url} please.
            ~create a short URL for {url}
            shorter url for {url}?
        """),
        results=results("""
            {"short": "{u:url}"} => The short link is {u}.
        """),
    ),
    ToolKind(
        key="library_book",
        domain="odds",
        names=("find_book", "library_search", "book_lookup", "catalog_search"),
        descriptions=lines("""
            Look for a book in the library.
            Searches the catalog of the library.
        """),
        params=(
            string("title book", "title", "Title of the book.|The book"),
            string("author writer", "author:name", "Who wrote it.", False),
        ),
        requests=lines("""
            Does the library have the book {title}?
            ~look for the book {title} in the library
            ~find the book {title} by {author}
            library: {title}
            is the book {title} by {author} available at the library
            I'd like to borrow {title}. Is it in the library?
            ~search the library for {title} by {author}
            book {title} in the catalog?
            Can I borrow the book {title} by {author}?
            ~check the library catalog for {title}
        """),
        results=results("""
            {"available": true, "shelf": "{s:code}"} => The book {title} is on shelf {s}.
            {"available": false} => The book {title} is lent out.
        """),
    ),
    ToolKind(
        key="event_tickets",
        domain="odds",
        names=("buy_tickets", "event_tickets", "get_tickets", "ticket_purchase"),
        descriptions=lines("""
            Buy tickets for an event.
            Gets seats for a show.
        """),
        params=(
            string("event show name", "event", "The event.|Which event"),
            integer("count tickets quantity seats", "count:2..12", "How many tickets.|Number of tickets"),
        ),
        requests=lines("""
            ~buy {count} tickets for the {event}
            ~get us {count} tickets for the {event}
            {count} tickets {event}
            We want to go to the {event}, {count} people. Tickets please.
            i need {count} tickets to the {event}
            ~order {count} seats at the {event}
            {count} tickets to the {event} if there are any left
            Can I have {count} tickets for the {event}?
            The {event} sounds great. {count} tickets, please buy them.
            get {count} tickets for {event}
        """),
        results=results("""
            {"price": {p:5.00..400.00}, "row": {r:1..40}} =>\
                The tickets cost {p} and the seats are in row {r}.
        """),
    ),
    ToolKind(
        key="feed_pet",
        domain="odds",
        names=("feed_pet", "pet_feeder", "dispense_food", "feeder"),
        descriptions=lines("""
            Feed a pet with the automatic feeder.
            Gives out some grams of pet food.
        """),
        params=(
            string("pet animal who", "pet:first", "Name of the pet.|Which pet"),
            integer("grams amount portion", "grams:10..300", "How many grams.|Amount"),
        ),
        requests=lines("""
            ~feed {pet} {grams} grams
            ~give {pet} {grams} grams of food
            {pet} is hungry, {grams} grams please
            feeder: {pet} {grams}g
            My cat {pet} wants dinner. {grams} grams from the feeder.
            ~let the feeder give {pet} {grams} grams
            dispense {grams} grams for {pet}
            {grams}g of pet food for {pet}
            It's feeding time for {pet}: {grams} grams.
            Please put {grams} grams into the bowl of {pet}.
        """),
        pairs=lines("""
            ~feed {pet} {grams} grams and {pet2} {grams2} grams
        """),
        results=results("""
            {"fed": "{pet}", "left_grams": {n:0..5000}} => {pet} got the food; {n} grams are left.
        """),
    ),
    ToolKind(
        key="grade",
        domain="school",
        names=("get_grade", "student_grade", "lookup_mark", "grade_book"),
        descriptions=lines("""
            Grade of a student in a subject.
            Looks up a mark.
        """),
        params=(
            string("student name pupil", "name", "The student.|Name of the student"),
            string("subject course class", "subject", "The subject.|Which course"),
        ),
        requests=lines("""
            What grade does {name} have in {subject}?
            ~look up the mark of {name} in {subject}
            grade {name} {subject}
            How is {name} doing in {subject}?
            ~check {name}'s grade in {subject}
            did {name} pass {subject}
            What did {name} get in {subject}?
            mark of {name} in {subject} please
            Is {name} good at {subject}? Show the grade.
            {subject} grade for {name}
        """),
        pairs=lines("""
            What grades do {name} in {subject} and {name2} in {subject2} have?
        """),
        results=results("""
            {"grade": "{g:A|B|C|D|F}"} => {name} has a grade of {g} in {subject}.
        """),
    ),
    ToolKind(
        key="enroll",
        domain="school",
        names=("enroll_student", "join_course", "sign_up_course", "register_course"),
        descriptions=lines("""
            Sign a student up for a course.
            Enrolls someone in a class.
        """),
        params=(
            string("student name person", "name", "Who joins.|Name of the student"),
            string("course subject class", "subject", "Which course.|The course"),
        ),
        requests=lines("""
            ~enroll {name} in {subject}
            ~sign {name} up for the {subject} course
            {name} wants to join {subject}
            put {name} in the {subject} class
            ~register {name} for {subject}
            {name} would like to take {subject}. Sign up please.
            course {subject}, student {name}, enroll
            Is there a place in {subject} for {name}? Enroll them.
            i want {name} to attend {subject}
            Please add {name} to the {subject} course.
        """),
        pairs=lines("""
            ~enroll {name} in {subject} and {name2} in {subject2}
        """),
        results=results("""
            {"enrolled": true, "seats_left": {n:0..30}} => {name} is in {subject}; {n} seats are left.
        """),
    ),
    ToolKind(
        key="charging",
        domain="car",
        names=("start_charging", "charge_car", "car_charger", "set_charge"),
        descriptions=lines("""
            Charge the electric car to a level.
            Starts charging the car battery.
        """),
        params=(integer("percent level target", "percent:20..100", "How full, in percent.|Target level"),),
        requests=lines("""
            ~charge the car to {percent} percent
            ~start charging my car up to {percent}%
            car battery to {percent}%
            I have a long drive tomorrow. Charge the car to {percent}%.
            charge car {percent}
            ~fill the car battery to {percent} percent
            Please load the car to {percent}%.
            my car should be at {percent} percent in the morning
            The electric car needs {percent}%, start charging.
            ~charge the electric car until {percent}%
        """),
        results=results("""
            {"charging": true, "hours": {n:0.5..9.5}} => The car will be at {percent}% in {n} hours.
        """),
    ),
    ToolKind(
        key="car_location",
        domain="car",
        names=("find_car", "locate_car", "car_position", "where_is_my_car"),
        descriptions=lines("""
            Where the car is parked.
            Position of a vehicle by its license plate.
        """),
        params=(string("plate license_plate vehicle", "plate", "License plate.|Which car"),),
        requests=lines("""
            Where is the car {plate}?
            ~find my car with the plate {plate}
            locate {plate}
            I forgot where I parked. The plate is {plate}.
            ~show me where vehicle {plate} is
            where did i leave {plate}
            position of the car {plate}
            Somebody borrowed the van {plate}. Where is it now?
            ~track down the vehicle {plate}
            Where is my car? License plate {plate}
        """),
        results=results("""
            {"parked_at": "{a:address}"} => The car is at {a}.
        """),
    ),
    ToolKind(
        key="elevator",
        domain="odds",
        names=("call_elevator", "elevator", "lift_call", "send_lift"),
        descriptions=lines("""
            Call the elevator to a floor.
            Sends the lift to a floor.
        """),
        params=(integer("floor level to", "floor:1..60", "The floor.|Which floor"),),
        requests=lines("""
            ~call the elevator to floor {floor}
            ~send the lift to floor {floor}
            elevator to {floor}
            I'm waiting on floor {floor}. Send the elevator.
            ~get me the lift on floor {floor}
            lift floor {floor} please
            The elevator should come to level {floor}.
            we are on floor {floor} and need the elevator
            Floor {floor}, lift please.
            bring the elevator to level {floor}
        """),
        results=results("""
            {"seconds": {n:3..120}} => The elevator comes in {n} seconds.
        """),
    ),
    ToolKind(
        key="subscribe",
        domain="odds",
        names=("subscribe", "newsletter_signup", "add_subscriber", "join_mailing_list"),
        descriptions=lines("""
            Subscribe an address to a newsletter.
            Adds someone to a mailing list.
        """),
        params=(
            string("email address", "email", "The address.|Who subscribes"),
            choice("frequency interval", "often", "How often.", "daily|weekly|monthly", False),
        ),
        requests=lines("""
            ~subscribe {email} to the newsletter
            ~sign {email} up for the {often} newsletter
            newsletter for {email}
            {email} wants the {often} newsletter
            ~add {email} to the mailing list
            I'd like to get the newsletter at {email}.
            put {email} on the mailing list, {often}
            Send the {often} newsletter to {email} from now on.
            {email}: subscribe, {often}
            My address is {email}, I want your newsletter.
        """),
        results=results("""
            {"subscribed": true} => {email} gets the newsletter now.
        """),
    ),
]

# What may stand around an imperative request: {} is the request.
WRAPPERS: tuple[str, ...] = lines("""
    {}
    {}
    {}
    {}.
    {}.
    {}!
    Please {}
    Please {}.
    please {}
    pls {}
    {}, please.
    {} please
    {} for me
    {} for me please
    {}, thanks
    {} now
    Can you {}?
    Can you please {}?
    can you {}
    can u {}
    Could you {}?
    Could you please {}?
    could you {} for me?
    Would you {}?
    Would you please {}?
    Will you {}?
    I need you to {}.
    i need you to {}
    I want you to {}.
    I'd like you to {}.
    I would like you to {}.
    i'd like to {}
    I want to {}.
    I need to {}.
    Help me {}.
    Help me to {}.
    You should {}.
    Go ahead and {}.
    Let's {}.
    Hey, {}
    Hey, can you {}?
    hey {}
    Hi, {} please
    Hi! Could you {}?
    Hello, please {}.
    Hello! I need you to {}.
    OK, {}.
    ok now {}
    Now {}.
    Next, {}.
    Quick, {}!
    Quickly {}.
    Just {}.
    Can I ask you to {}?
    May I ask you to {}?
    Is it possible to {}?
    Do me a favor and {}.
    It would be great if you could {}.
    It'd be nice if you could {}.
    I wonder if you could {}.
    Any chance you can {}?
    Are you able to {}?
    My job for you: {}.
    Your task: {}
    Assistant, {}.
    Use your tools to {}.
    Use a tool to {}.
    Time to {}.
    First of all, {}.
    yo, {}
    Sorry to bother you, but could you {}?
    When you have a second, {}.
    If you can, {}.
    Make it happen: {}.
    One more thing: {}
    Oh, and {}.
    Would it be possible to {}?
    I was told you can {}. Please do.
    I'm busy, so please {}.
    Please be so kind and {}.
    Let me {}.
    How about you {}?
    Why don't you {}?
""")
OPENERS: tuple[str, ...] = (
    "Hi! ", "Hi, ", "Hey! ", "Hello. ", "Hello! ", "Good morning! ", "Good evening. ", "OK. ", "Okay, so: ",
    "Quick question: ", "One question: ", "Question: ", "Thanks! ", "Great. ", "Cool, ", "Hmm, ", "Well, ",
    "so ", "ok ", "hey ", "hi ", "Right, ", "Next question. ", "I have a request. ", "Listen, ",
)  # fmt: skip
CLOSERS: tuple[str, ...] = (
    " Thanks!", " Thank you.", " Thanks.", " thx", " Thank you!", " Please.", " It's urgent.", " Be quick.",
    " I'm in a hurry.", " Thanks in advance.", " ty", " No rush.", " Just curious.", " That's all.",
)  # fmt: skip
# Two requests in one message: {a} and {b} are imperatives, {A} and {B} are sentences.
JOINS: tuple[str, ...] = lines("""
    {A} {B}
    {A} Also: {b}
    {A} Also, {b}.
    {A} And {b}.
    {A} And please {b}.
    {A} Then {b}.
    {a} and {b}
    {a}, and {b}
    Please {a} and {b}.
    Can you {a} and {b}?
    Could you {a}, and also {b}?
    {a}, then {b}
    First {a}, then {b}.
    Two things: {a} and {b}.
    I need two things. {A} {B}
    I need you to {a} and to {b}.
    1. {a} 2. {b}
    {A} Oh, and {b}.
    {a}; {b}
    Please do both: {a}, and {b}.
    {a} + {b}
""")
SYSTEMS: tuple[str, ...] = lines("""
    You are a helpful assistant.
    You are a helpful assistant with access to tools.
    You can call functions.
    You have tools. Use them when they help.
    Use the tools when the user asks for something they can do.
    Call a tool only if one fits.
    You are an assistant that calls functions.
    You are a voice assistant.
    You are a home assistant.
    You are the assistant of a small office.
    Answer briefly.
    Be concise and use tools where you can.
    Only use the functions you have been given.
    If no tool fits, say so.
    Do not make up arguments.
    Take the arguments from the user's message.
    You are a customer service agent.
    You are a bot that helps a team with daily chores.
    Think about which tool is right, then call it.
    You are an agent.
""")
# Invented tools: what they do, to what, and with which settings.
VERBS: tuple[str, ...] = (
    "polish",
    "paint",
    "weigh",
    "rotate",
    "label",
    "archive",
    "fold",
    "sort",
    "wrap",
    "stack",
    "scan",
    "inspect",
    "repair",
    "freeze",
    "heat",
    "cool",
    "bend",
    "clone",
    "split",
    "merge",
    "inflate",
    "tag",
    "rank",
    "trim",
    "shake",
    "spin",
    "melt",
    "mix",
    "boil",
    "shrink",
    "stretch",
    "lift",
    "drop",
    "catch",
    "release",
    "hide",
    "reveal",
    "count",
    "sample",
    "grind",
    "press",
    "seal",
    "unpack",
    "decorate",
    "measure",
    "align",
    "tune",
    "dry",
    "soak",
    "charge",
    "drain",
    "flip",
    "mark",
    "register",
    "ship",
    "store",
    "fetch",
    "copy",
    "verify",
    "encrypt",
    "compress",
    "index",
    "reset",
    "calibrate",
    "mirror",
    "tilt",
    "launch",
    "park",
)
SETTINGS: tuple[str, ...] = (
    "strength",
    "speed",
    "depth",
    "width",
    "height",
    "length",
    "level",
    "angle",
    "power",
    "pressure",
    "volume",
    "weight",
    "amount",
    "rounds",
    "layers",
    "size",
    "steps",
    "tension",
    "delay",
    "offset",
    "budget",
    "limit",
    "rate",
)
LABELS: tuple[str, ...] = (
    "owner",
    "color",
    "style",
    "mode",
    "label",
    "shape",
    "city",
    "reason",
    "material",
    "pattern",
    "group",
    "zone",
    "brand",
    "season",
    "flavor",
    "origin",
    "purpose",
    "tag",
    "team",
    "texture",
    "theme",
    "title",
    "target_city",
    "keeper",
    "sponsor",
)
# Fields of results that are told by the general rule, with the types of their values.
FIELDS: tuple[str, ...] = lines("""
    speed=1..300
    mode=eco|fast|quiet|manual|auto
    level=0..100
    owner=name
    color=color
    weight=0.1..90.0
    status=active|waiting|stopped|full|empty
    size=small|medium|large
    temperature=-10..40
    count=0..999
    city=city
    country=country
    name=name
    price=price
    total=price
    rating=1.0..5.0
    duration=1..240
    distance=1..5000
    date=date
    time=time
    code=code
    email=email
    phone=phone
    title=title
    language=language
    animal=animal
    item=item
    fruit=fruit
    food=food
    job=job
    company=company
    room=room
    height=1..300
    width=1..300
    depth=1..300
    voltage=1..240
    battery=0..100
    progress=0..100
    rank=1..50
    points=0..900
    score=0..100
    year=year
    month=month
    weekday=weekday
    next_run=time
    last_update=date
    best_match=word
    file_name=file
    home_page=url
    host=host
    version=version
    queue_length=0..60
    free_space=1..900
    error_count=0..40
    main_color=color
    unit_price=price
    floor=1..40
    seat=code
    gate=code
    driver=name
    teacher=name
    winner=team
    author=name
    artist=artist
    street=address
    sky=sky
    pressure=900..1100
    humidity=0..100
    wind_speed=0..120
    material=wood|steel|glass|paper|cotton
    shape=round|square|flat|oval
    priority=low|medium|high
    signal=weak|strong|none
    in_stock=true|false
    is_open=true|false
    verified=true|false
    result=0..9999
    answer=word
    value=0.1..99.9
    message=text
    note=note
    location=city
    position=1..99
    pages=1..900
    users=1..9999
    latency_ms=1..900
    memory_gb=1..512
    model=model
""")
ERRORS: tuple[str, ...] = lines("""
    not found
    timeout
    permission denied
    service unavailable
    invalid argument
    rate limit exceeded
    connection refused
    no such {noun}
    {word} is not valid
    access denied for {first}
    quota exceeded
    the {item} is out of stock
    internal error
    bad request
    unknown {noun}
    no connection to {city}
    the server is busy
    disk full
    {service} is down
    try again at {time}
""")
REMARKS: tuple[str, ...] = lines("""
    The {item} is ready.
    {name} has taken care of it.
    All {n:2..90} checks passed.
    It will be done by {time}.
    The {noun} was moved to {city}.
    Nothing changed.
    {n:2..900} entries were updated.
    The next free date is {date}.
    {company} has accepted the request.
    The {color} {item} was chosen.
    Request {c:code} was accepted.
    OK
    Finished in {n:1..90} seconds.
    The {noun} is now open.
    The {noun} is closed until {time}.
    You are number {n:1..40} in the queue.
    Saved as {f:file}.
    See {u:url}
    {n:1..40} {animals} were found.
    The {job} will call you back on {weekday}.
""")

# Further ways to ask for the usual ones.
REQUESTS: dict[str, tuple[str, ...]] = {
    "forecast": lines("""
        What does {day} look like in {city}, weather-wise?
        ~find out if {city} stays dry {day}
        {city} {day}, what's the outlook?
        Outdoor wedding in {city} {day}: do we need a tent?
        weather {day} {city}
    """),
    "air_quality": lines("""
        Could you see how the air is in {city}?
        My eyes burn. Is it the air in {city}?
        ~give me today's air numbers for {city}
        Is it safe to breathe outside in {city}?
        particulates in {city}, please
    """),
    "sunrise": lines("""
        When's dawn in {city} on {date}?
        Last light in {city} today?
        ~find the time of dusk in {city}
        We want to watch the sun go down in {city}, so when should we be there?
        How early does the sun come up in {city} on {date}?
    """),
    "time_in_city": lines("""
        Would I wake people up if I rang {city} now?
        What does the clock say in {city}?
        ~give me the hour in {city}
        Local time for {city}, please.
        my plane lands in {city}, what time is it over there
    """),
    "convert_time": lines("""
        We start at {time} ({origin}). What's that for the {target} people?
        ~work out what {time} {origin} time is in {target}
        Show begins {time} in {origin}; local time in {target}?
        at {time} in {origin}, what do clocks in {target} show
    """),
    "days_until": lines("""
        ~figure out how long I have to wait for {date}
        The big day is {date}. Days remaining?
        Time left till {date} in days
        how soon is {date}, counted in days
    """),
    "weekday_of": lines("""
        Tell me, is {date} a weekday? Which one?
        ~name the day of the week for {date}
        We marry on {date}; which weekday would that be?
        {date} = which day of the week?
    """),
    "calculator": lines("""
        Crunch this: {expression}
        ~do the sum {expression}
        {expression}, what's the answer
        Quick maths: {expression}
    """),
    "unit_convert": lines("""
        ~express {amount} {source} in {target}
        {amount} {source} makes how many {target}?
        My scale shows {amount} {source}; I want {target}.
        In {target}, how much would {amount} {source} be?
    """),
    "tip": lines("""
        Service was good: {percent}% on top of {bill}, what's that?
        ~add a {percent} percent tip to {bill}
        Check came to {bill}, tipping {percent}%
        {bill} plus {percent} percent for the waiter, split by {people}
    """),
    "random_number": lines("""
        Any number between {low} and {high}, surprise me
        ~generate an integer from {low} up to {high}
        lottery: one number, {low} to {high}
        Pick a winner, tickets are numbered {low} to {high}.
    """),
    "roll_dice": lines("""
        ~shake {count} dice
        Board game night, throw {count} dice
        Let's see what {count} dice give.
        dice: {count}, sides: {sides}
    """),
    "loan_payment": lines("""
        Borrowing {amount}, {years} years, {rate} percent: monthly rate?
        ~calculate the installments for {amount} over {years} years at {rate}%
        What would {amount} at {rate}% cost me per month for {years} years?
        Is a loan of {amount} affordable, with {rate}% interest and a term of {years} years?
    """),
    "currency": lines("""
        ~exchange {amount} {source} for {target}
        Say I have {amount} {source}. What do I get in {target}?
        Going abroad with {amount} {source}, that's how much {target}?
        rate check: {amount} {source} into {target}
    """),
    "stock_price": lines("""
        Where does {ticker} stand today?
        ~tell me the latest {ticker} price
        Should I sell {ticker}? First give me the price.
        {ticker} shares, current value?
    """),
    "crypto_price": lines("""
        Is {coin} up? Price check.
        ~get the current {coin} price
        Thinking of buying {coin}. What is it at?
        1 {coin} in {currency}?
    """),
    "account_balance": lines("""
        Am I broke? Look at my {account} account.
        What's left in {account}?
        ~look up the {account} balance
        Money on the {account} account, please
    """),
    "transfer_money": lines("""
        {name} should get {amount} from me
        ~move {amount} over to {name}
        Settle up with {name}: {amount}
        Lunch was on {name}, so {amount} has to go there, note "{note}".
    """),
    "transactions": lines("""
        Statement with the {count} newest entries, please
        Recent activity on my account, {count} items
        I'd like to see where my money went: {count} last bookings.
        give me {count} of my latest payments
    """),
    "pay_bill": lines("""
        {invoice} has to be paid by {date}
        ~take care of invoice {invoice}
        Bill number {invoice}: pay
        There's an open invoice, {invoice}. Could you settle that?
    """),
    "send_email": lines("""
        Drop {email} a line: "{text}"
        ~mail {email} the following: {text}
        {email} needs to know this: {text}
        Subject "{subject}", body "{text}", recipient {email}. Send.
    """),
    "send_sms": lines("""
        Let {name} know by text: {text}
        ~message {name} "{text}"
        {name} should get this by sms: "{text}"
        Shoot {name} a text. It should read "{text}".
    """),
    "post_channel": lines("""
        Put this in {channel}: "{text}"
        ~share "{text}" with the {channel} channel
        The {channel} channel must see this: {text}
        Message for #{channel}: "{text}"
    """),
    "read_inbox": lines("""
        Anything new in my mailbox?
        ~see whether {name} has mailed me
        Is there something from {name} in the inbox?
        new messages?
    """),
    "phone_call": lines("""
        Get {name} on the line.
        ~dial {name}
        {name}, phone, now please
        I need to speak with {name} {speaker}.
    """),
    "contact_find": lines("""
        Under which number do I reach {name}?
        ~dig up {name}'s contact details
        I seem to have lost the number of {name}.
        contact card of {name}
    """),
    "contact_add": lines("""
        ~store {phone} under {name}
        Met {name} today, number {phone}. Keep it.
        {phone} belongs to {name}; remember that in my contacts.
        Put {name} in the phone book with {phone}
    """),
    "create_event": lines("""
        {date}, {event}: block that in my calendar
        ~enter a {event} for {date}, {time}
        New appointment: {event}. It's on {date}.
        We agreed on {date} at {time} for the {event}. Please schedule.
    """),
    "list_events": lines("""
        How full is my calendar {day}?
        ~read out my schedule for {day}
        Anything going on {day}?
        Do I have meetings {day}?
    """),
    "cancel_event": lines("""
        No {event} {day} after all, delete it please
        ~drop the {event} from my schedule
        I won't make the {event}. Take it off.
        {event} has been called off
    """),
    "reminder": lines("""
        At {time} I need a nudge to {task}.
        ~ping me at {time} so I {task}
        Make sure I {task} at {time}.
        {time}: {task}. Remind me!
    """),
    "set_alarm": lines("""
        Alarm at {time} {day}, please.
        ~get me out of bed at {time}
        I mustn't sleep past {time}. Set something.
        {time} wake-up call
    """),
    "set_timer": lines("""
        Count down {minutes} minutes.
        ~time {minutes} minutes for the {label}
        {label} is in the oven. {minutes} minutes!
        Let me know when {minutes} minutes are over.
    """),
    "todo_add": lines("""
        New to-do: {task}
        ~note {task} as a {priority} priority task
        Don't let me forget: {task}. To-do list!
        On my list, please: "{task}"
    """),
    "todo_done": lines("""
        ~cross out task {id}
        Done with {id}, update the list.
        Number {id} on my list is finished
        {id} is completed, mark it
    """),
    "shopping_add": lines("""
        We need {food}. Put it on the list for the store.
        ~write {food} on the grocery list
        {count} more {food} for the grocery list
        Next time I shop, remind me of {food} via the shopping list.
    """),
    "note_create": lines("""
        Keep this in mind for me: {note}
        ~save a note that {note}
        Please remember "{note}" in the {notebook} notebook.
        Write "{note}" into my notes
    """),
    "note_search": lines("""
        Have I got anything on {topic} in my notes?
        ~go through my notes and find {topic}
        Where's the note about {topic}?
        my notes, keyword {topic}
    """),
    "play_song": lines("""
        Let me listen to {title} by {artist}.
        ~start the track {title}
        {title}, {artist}, go
        Could we have {title} on?
    """),
    "play_genre": lines("""
        A bit of {genre}, please
        ~start a {genre} playlist
        Set the mood with {genre}.
        I'm in the mood for {genre}
    """),
    "volume": lines("""
        Sound at {level}, please.
        ~put the speaker at {level}
        {level} percent volume
        Neighbors are complaining, go to volume {level}.
    """),
    "movie_info": lines("""
        What's the film {title} about?
        ~get details on the movie {title}
        Who plays in the movie {title}?
        movie: {title}, year?
    """),
    "cinema": lines("""
        We're in {city} and want to watch {title}. When does it run?
        ~check where {title} plays in {city}
        Any screenings of {title} in {city}?
        {title}, {city}, showtimes
    """),
    "lights": lines("""
        {state} with the lights in the {room}!
        ~put the {room} light {state}
        I want the {room} lights {state}.
        In the {room}: lights {state}.
    """),
    "light_color": lines("""
        Can the {room} glow {color}?
        ~dye the lights of the {room} {color}
        {room}: lamp color {color}
        Let's have {color} in the {room}.
    """),
    "thermostat": lines("""
        {degrees} degrees in the {room}, please
        ~adjust the temperature to {degrees}
        I'd be happy with {degrees} degrees.
        Target temperature: {degrees}
    """),
    "blinds": lines("""
        {room} blinds at {percent} percent, please
        ~lower the blinds of the {room} to {percent}%
        Too bright in the {room}: shades to {percent}%.
        shade the {room}, {percent} percent
    """),
    "device_switch": lines("""
        The {device} should be {state}.
        ~set the {device} to {state}
        I left the {device} running, or not? I want it {state}.
        Make sure the {device} is {state}.
    """),
    "vacuum_robot": lines("""
        Crumbs all over the {room}! Get the robot going.
        ~have the {room} vacuumed
        Floor of the {room}: robot, please
        Clean up the {room} with the robot.
    """),
    "search_web": lines("""
        What does the internet say about "{query}"?
        ~do a web search: {query}
        Look on the web, keyword {query}
        Online search please: "{query}", {count} hits
    """),
    "search_files": lines("""
        ~locate {file}
        Is there a {file} anywhere in {folder}?
        I can't find {file}, can you?
        path of {file}?
    """),
    "read_text_file": lines("""
        Show {file} on the screen.
        ~print the contents of {file}
        What's written in {file}?
        read out {file} to me
    """),
    "delete_file": lines("""
        Nobody uses {file} now, so delete it
        ~get rid of {file}
        Erase {file}, it's old.
        Clean up: drop {file}
    """),
    "rename_file": lines("""
        ~give {file} the name {new}
        New name for {file}: {new}
        From now on {file} is {new}.
        {file} -> {new}, rename
    """),
    "list_folder": lines("""
        ~look into {folder} and tell me what files are there
        Which documents are stored in {folder}?
        directory listing of {folder}
        Show everything inside {folder}.
    """),
    "search_docs": lines("""
        I need the manual page on {topic}.
        ~check the handbook for {topic}
        Do our docs cover {topic}?
        documentation: {topic}
    """),
    "news": lines("""
        Has anything happened with {topic} lately?
        ~find recent articles on {topic}
        Headlines, {topic}
        Keep me posted: what's new in {topic}?
    """),
    "open_url": lines("""
        Take me to {url}
        ~bring up {url} in the browser
        Have a look at {url} and tell me what's there.
        {url}, open it
    """),
    "translate": lines("""
        I'm writing to someone who speaks {language}: "{sentence}"
        ~put "{sentence}" into {language}
        "{sentence}" - same in {language}, please
        The {language} version of "{sentence}", what is it?
    """),
    "dictionary": lines("""
        I came across "{word}". What's that?
        ~explain the word {word}
        Dictionary entry for {word}
        Not sure what "{word}" means, look it up.
    """),
    "synonyms": lines("""
        I keep writing "{word}". Alternatives?
        ~suggest words similar to {word}
        thesaurus: {word}
        Replace "{word}" with something alike.
    """),
    "route": lines("""
        Show me the way to {destination}; I'm starting in {origin}.
        ~guide me from {origin} to {destination}
        Going to {destination} from {origin} by {mode}. Directions?
        {origin} -> {destination}, best way?
    """),
    "distance": lines("""
        What's the distance, {origin} to {destination}?
        ~measure how far {destination} is from {origin}
        Kilometers between {origin} and {destination}?
        Is {destination} far from {origin}? How many km?
    """),
    "traffic": lines("""
        Any jams in {city}?
        ~look at the roads in {city} for me
        How congested is {city} right now?
        Driving through {city}, is it slow?
    """),
    "flights": lines("""
        I want to fly to {destination}, leaving from {origin}.
        ~look for planes from {origin} to {destination} on {date}
        Plane tickets {origin} - {destination}?
        From {origin} by air to {destination} on {date}, what is there?
    """),
    "flight_status": lines("""
        Has {flight} landed yet?
        ~find out whether {flight} is delayed
        My wife is on {flight}. On time?
        arrival of {flight}?
    """),
    "trains": lines("""
        Next train to {destination} out of {origin}?
        ~find me a train leaving {origin} for {destination}
        By rail from {origin} to {destination}, around {time}
        When do trains go from {origin} to {destination}?
    """),
    "hotels": lines("""
        I need a bed in {city} for {nights} nights.
        ~find somewhere to sleep in {city}
        Rooms in {city}, max {budget} a night
        Staying in {city}. Which hotels are free?
    """),
    "restaurants": lines("""
        Hungry in {city}. Ideas?
        ~suggest a place to eat in {city}
        {cuisine} food in {city}, where?
        Good places for dinner in {city}?
    """),
    "book_table": lines("""
        {people} of us want to eat at {restaurant}, {time}. Book it.
        ~get a table at {restaurant}, {time}, {people} people
        Dinner at {restaurant} with {people} guests at {time}, please reserve.
        {restaurant} {time} for {people}
    """),
    "recipe": lines("""
        I have {food} at home. What can I cook?
        ~look up how {food} is made
        cooking {food} for {people}, recipe?
        Teach me to make {food}.
    """),
    "order_food": lines("""
        Hungry! {food} from {restaurant}, please.
        ~have {restaurant} bring me {food}
        Delivery: {food}, {restaurant}
        From {restaurant} I'd take {food}.
    """),
    "place_order": lines("""
        One {item}, please. Place the order.
        ~purchase a {item}
        Get me a {item} in {color}.
        My {item} broke, buy another one
    """),
    "order_status": lines("""
        Any update on {order}?
        ~see how far along order {order} is
        I'm still waiting for {order}. What's up with it?
        Was {order} shipped?
    """),
    "refund": lines("""
        Order {order} was no good, money back please.
        ~pay back order {order}
        Return for {order}. Reason: {reason}.
        {order} must be refunded
    """),
    "cancel_order": lines("""
        Changed my mind about {order}, stop it
        ~call off order {order}
        Please don't ship {order}. Cancel.
        order {order} was a mistake, cancel it
    """),
    "track_parcel": lines("""
        Has {parcel} been delivered?
        ~look up how far package {parcel} has come
        My parcel ({parcel}) is late.
        {parcel} - where is that shipment?
    """),
    "inventory": lines("""
        Are there any {item} left?
        ~count how many {item} we have on hand
        Warehouse check: {item}
        Does {city} still have the {item}?
    """),
    "product_price": lines("""
        I'm eyeing the {item}. Price?
        ~tell me what you charge for the {item}
        Is the {item} expensive? How much?
        {item}: cost?
    """),
    "vacation": lines("""
        Out of office {start} through {end}, file it.
        ~put in for leave, {start} to {end}
        I'll be gone from {start} till {end}. Request it, reason: {reason}
        Holiday wish: {start} until {end}
    """),
    "print_file": lines("""
        Paper copy of {file}, please.
        ~put {file} on the printer {copies} times
        {file}: print, {ink}
        Send {file} to the printer.
    """),
    "ticket_create": lines("""
        We have a problem: {bug}. Make a ticket.
        ~log an issue: {bug}
        Someone should fix this: "{bug}". File it.
        new issue, {priority}: {bug}
    """),
    "restart_service": lines("""
        Please kick {service}, it is stuck.
        ~reboot {service} on {host}
        {service} needs a restart
        Turn {service} off and on again.
    """),
    "logs": lines("""
        Something's off with {service}. Logs?
        ~tail {count} lines from {service}
        Let me read the {level} output of {service}.
        log output {service} please
    """),
    "generate_image": lines("""
        Paint me {picture}.
        ~create art showing {picture}
        Visualize this: {picture}
        A {size} illustration of {picture}, please
    """),
    "match_score": lines("""
        Result for the {team}?
        ~find out how the {team} did
        The {team} played today. Who won?
        latest {team} game
    """),
    "grade": lines("""
        How good is {name} at {subject}? Give me the grade.
        ~get {name}'s mark for {subject}
        Report card: {name}, {subject}
        Did {name} pass {subject}?
    """),
    "enroll": lines("""
        {name} would like to take {subject}, enroll please
        ~add {name} to the {subject} class
        One more for {subject}: {name}
        Sign up {name} for {subject}.
    """),
    "event_tickets": lines("""
        Seats for the {event}: {count}, please
        ~reserve {count} tickets to the {event}
        {count} of us are going to the {event}. Buy tickets.
        Book the {event}, {count} persons.
    """),
    "library_book": lines("""
        I'd like to borrow the book {title} from the library.
        ~see if the library has {title} by {author}
        Library search: {title}, {author}
        Is the book {title} on the shelf at the library?
    """),
}
TOOLS[:] = [replace(kind, requests=(*kind.requests, *REQUESTS.get(kind.key, ()))) for kind in TOOLS]
