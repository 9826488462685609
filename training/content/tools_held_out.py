"""Held-out tools and requests, written apart from the training ones."""

from __future__ import annotations

from training.content.tool_kinds import ToolKind, choice, flag, integer, lines, number, results, string

TOOLS: list[ToolKind] = [
    ToolKind(
        key="moon_phase",
        names=("get_moon_phase", "moonPhase"),
        descriptions=("Returns the phase of the moon for a date.", "Look up the moon phase on a given date."),
        params=(string("date on_date", "date", "The date to check.|Calendar date"),),
        requests=lines("""
            What will the moon look like on {date}?
            is there a full moon on {date}
            Moon phase for {date}?
            I'm planning a night hike on {date}, which phase is the moon in then?
            ~look up the moon phase on {date}
        """),
        results=results("""
            {"phase": "{phase:full moon|new moon|first quarter|last quarter}"}
            {"phase": "{phase:waxing|waning}", "brightness": {b:2..98}}
        """),
        domain="info",
    ),
    ToolKind(
        key="tides",
        names=("tide_times", "getTideTable"),
        descriptions=("High and low tide at a coastal town.", "Returns today's tide times for a location."),
        params=(string("town location", "town:city", "Coastal town|Name of the place on the coast."),),
        requests=lines("""
            When is high tide in {town}?
            tide times {town}
            We want to walk on the beach at {town}. When does the water come in?
            ~check the tides for {town}
            Is it low tide in {town} yet?
        """),
        results=results("""
            {"high_tide": "{high:time}", "low_tide": "{low:time}"}
        """),
        domain="weather",
    ),
    ToolKind(
        key="pollen",
        names=("pollen_count", "getPollenLevel"),
        descriptions=("Pollen level in a city for people with allergies.", "Get today's pollen count."),
        params=(
            string("city place", "city", "City name."),
            choice("plant pollen_type", "plant", "Kind of pollen.", "grass|birch|ragweed|hazel", False),
        ),
        requests=lines("""
            How bad is the pollen in {city} today?
            My eyes are itching. What's the {plant} pollen like in {city}?
            pollen count for {city} please
            ~tell me the {plant} pollen level in {city}
            Hay fever check for {city}
        """),
        results=results("""
            {"level": "{level:low|moderate|high|very high}"}
            {"count": {n:3..240}, "level": "{level:low|moderate|high}"}
        """),
        domain="weather",
    ),
    ToolKind(
        key="population",
        names=("get_population", "countryPopulation"),
        descriptions=("Number of people living in a country.", "Returns the population of a country."),
        params=(
            string("country country_name", "country", "Name of the country."),
            integer("year", "year:1950..2025", "Year of the figure; latest if left out.", False),
        ),
        requests=lines("""
            How many people live in {country}?
            population of {country}
            What was the population of {country} in {year}?
            ~find out how many inhabitants {country} has
            How big was {country} in {year}, I mean by number of people?
        """),
        results=results("""
            {"population": {n:200000..90000000}}
        """),
        domain="info",
    ),
    ToolKind(
        key="public_holidays",
        names=("next_public_holiday", "getNextHoliday"),
        descriptions=(
            "The next public holiday in a country.",
            "Find the upcoming bank holiday of a country.",
        ),
        params=(string("country", "country", "Country|The country to look at."),),
        requests=lines("""
            When's the next bank holiday in {country}?
            are shops in {country} closed for a holiday soon
            Which public holiday comes next in {country}?
            ~look up the next public holiday in {country}
            I work with a team in {country}, when do they have their next day off?
        """),
        results=results("""
            {"date": "{d:date}"}
            {"holiday": "{h:Labor Day|Independence Day|New Year's Day|Harvest Day}", "date": "{d:date}"}
        """),
        domain="info",
    ),
    ToolKind(
        key="visa",
        names=("check_visa_requirement", "visaRules"),
        descriptions=(
            "Tells whether a traveller needs a visa.",
            "Visa rules for a passport holder going to a destination country.",
        ),
        params=(
            string("passport nationality", "passport:country", "Country that issued the passport."),
            string("destination destination_country", "destination:country", "Country to visit."),
        ),
        requests=lines("""
            I have a passport from {passport}. Do I need a visa for {destination}?
            visa for {destination} with a {passport} passport?
            Can someone from {passport} enter {destination} without a visa?
            ~check the visa rules for {destination}, my passport is from {passport}
            My wife is a citizen of {passport} and we are going to {destination}. Does she need a visa?
        """),
        results=results("""
            {"visa": "{v:required|not required|available on arrival}"}
            {"visa": "not required", "longest_stay": "{n:14..180} days"}
        """),
        domain="travel",
    ),
    ToolKind(
        key="checkin",
        names=("online_check_in", "checkInPassenger"),
        descriptions=("Check a passenger in for a flight.", "Online check-in with a booking reference."),
        params=(
            string("booking_reference booking", "booking:code", "Booking reference."),
            choice("seat seat_preference", "seat", "Preferred kind of seat.", "window|aisle|middle", False),
        ),
        requests=lines("""
            Check me in, my booking is {booking}
            I'd like to check in online with reference {booking} and sit in a {seat} seat.
            ~check in booking {booking}
            ~do the online check-in for {booking} with a {seat} seat
            booking {booking}, can I check in already?
        """),
        results=results("""
            {"seat": "{n:1..40}{row:A|B|C|D|E|F}", "gate": "{gate:A|B|C}{g:1..30}"}
            {"status": "checked in", "seat": "{n:1..40}{row:A|B|C|D|E|F}"}
        """),
        domain="travel",
    ),
    ToolKind(
        key="lost_luggage",
        names=("report_lost_luggage", "lostBagReport"),
        descriptions=("Report a bag that did not arrive.", "Files a lost luggage report for a flight."),
        params=(
            string("flight_number flight", "flight", "Flight the bag was on."),
            string("color bag_color", "color", "Color of the bag."),
        ),
        requests=lines("""
            My suitcase didn't show up. It was on {flight} and it is {color}.
            lost my {color} bag on flight {flight}
            ~report my {color} suitcase from flight {flight} as lost
            I flew in on {flight} and my {color} bag is nowhere to be found, can you file a report?
            Flight {flight} landed an hour ago and my {color} suitcase is still missing.
        """),
        results=results("""
            {"report_number": "{r:code}"}
            {"status": "{s:open|being searched|filed}", "report_number": "{r:code}"}
        """),
        domain="travel",
    ),
    ToolKind(
        key="bmi",
        names=("calculate_bmi", "bodyMassIndex"),
        descriptions=("Body mass index from weight and height.", "Computes the BMI of a person."),
        params=(
            number("weight_kg weight", "weight:45.0..130.0", "Weight in kilograms."),
            integer("height_cm height", "height:145..205", "Height in centimeters."),
        ),
        requests=lines("""
            I weigh {weight} kg and I'm {height} cm tall. What is my BMI?
            bmi for {height} cm and {weight} kg
            ~work out the body mass index for {weight} kilos at {height} cm
            Is {weight} kg too much for someone of {height} cm?
            What BMI do you get with a weight of {weight} kg and a height of {height} cm?
        """),
        results=results("""
            {"bmi": {b:17.0..34.0}}
            {"bmi": {b:19.0..24.0}, "category": "normal"}
        """),
        domain="math",
    ),
    ToolKind(
        key="roman_numeral",
        names=("to_roman", "romanNumeral"),
        descriptions=("Write a whole number as a Roman numeral.", "Converts an integer to Roman numerals."),
        params=(integer("number value", "value:13..3999", "Number to convert."),),
        requests=lines("""
            What is {value} in Roman numerals?
            how did the romans write {value}
            ~write {value} as a Roman numeral
            I want {value} engraved in Roman numerals, what letters are that?
            Roman numeral for {value}?
        """),
        results=results("""
            {"numeral": "{r:XIV|MCMXC|CDXLIV|MMXX|LXXVIII|CCXI|DCCVII}"}
        """),
        domain="math",
    ),
    ToolKind(
        key="fuel_cost",
        names=("trip_fuel_cost", "estimateFuelCost"),
        descriptions=("Estimate what the fuel for a drive costs.", "Fuel cost of a trip by distance."),
        params=(
            integer("distance_km distance", "km:20..1800", "Length of the trip in kilometers."),
            number("price_per_liter fuel_price", "fuel:1.05..2.40", "Price of one liter of fuel."),
        ),
        requests=lines("""
            How much will gas cost me for {km} km if a liter is {fuel}?
            fuel cost {km} km at {fuel} per liter
            ~estimate the fuel cost of a {km} km drive with petrol at {fuel} a liter
            We're driving {km} kilometers and fuel is {fuel} per liter. What will we spend?
            At {fuel} per liter, what does a trip of {km} km cost in fuel?
        """),
        results=results("""
            {"cost": {c:4.50..190.00}}
            {"fuel": "{l:2..120} liters", "cost": {c:4.50..190.00}}
        """),
        domain="math",
    ),
    ToolKind(
        key="certificate",
        names=("check_ssl_certificate", "certExpiry"),
        descriptions=(
            "Check when the TLS certificate of a site expires.",
            "SSL certificate expiry of a URL.",
        ),
        params=(string("url site", "url", "Address of the site."),),
        requests=lines("""
            When does the certificate of {url} run out?
            is the ssl cert on {url} still valid
            ~check the TLS certificate of {url}
            Customers see a browser warning on {url} so please look at the certificate
            How long is the cert for {url} good for?
        """),
        results=results("""
            {"status": "{s:valid|expired|expiring soon}", "expiry_date": "{d:date}"}
            {"time_left": "{n:2..360} days"}
        """),
        domain="ops",
    ),
    ToolKind(
        key="block_ip",
        names=("firewall_block_ip", "blockAddress"),
        descriptions=("Block an IP address in the firewall.", "Adds a deny rule for an IP."),
        params=(
            string("ip ip_address", "ip", "The IP address to block."),
            integer("hours duration_hours", "hours:2..96", "How long; forever if left out.", False),
        ),
        requests=lines("""
            Somebody is hammering our login from {ip} so block it
            ~block {ip} for {hours} hours
            ~add {ip} to the firewall blocklist
            We get spam from {ip} all day. Keep it out for {hours} hours.
            ban {ip} please
        """),
        results=results("""
            {"rule": {n:10..900}, "status": "{s:active|applied|enabled}"}
            {"status": "blocked"}
        """),
        domain="ops",
    ),
    ToolKind(
        key="queue_depth",
        names=("get_queue_depth", "queueLength"),
        descriptions=("Number of messages waiting in a queue.", "Returns the backlog of a message queue."),
        params=(string("queue queue_name", "queue:service", "Name of the queue."),),
        requests=lines("""
            How many messages are stuck in the {queue} queue?
            queue depth of {queue}
            Is there a backlog on the {queue} queue?
            ~check how long the {queue} queue is
            The {queue} queue feels slow, how much is waiting there?
        """),
        results=results("""
            {"backlog": {n:2..9000}}
            {"depth": {n:2..9000}, "oldest_message": "{m:2..59} minutes"}
        """),
        domain="ops",
    ),
    ToolKind(
        key="benchmark_model",
        names=("benchmark_model", "runThroughputTest"),
        descriptions=("Measure the speed of a model.", "Runs a throughput benchmark of a model."),
        params=(
            string("model model_name", "model", "Model to measure."),
            integer("batch_size batch", "batch:2..128", "Number of requests at once.", False),
        ),
        requests=lines("""
            How fast is {model} on our hardware?
            ~benchmark {model} with a batch size of {batch}
            ~measure the throughput of {model}
            What speed do we get from {model} when {batch} requests run at once?
            tokens per second for {model}?
        """),
        results=results("""
            {"throughput": {t:40..9000}}
            {"throughput": {t:40..9000}, "latency": "{l:4..900} ms"}
        """),
        domain="cluster",
    ),
    ToolKind(
        key="resize_image",
        names=("resize_image", "scalePicture"),
        descriptions=("Change the size of an image file.", "Resizes a picture to a width in pixels."),
        params=(
            string("image path", "image:file", "Image file."),
            integer("width width_px", "width:64..4096", "New width in pixels."),
        ),
        requests=lines("""
            ~resize {image} to {width} pixels
            {image} is far too big, can you shrink it to a width of {width} px
            I need {image} at {width} pixels wide for the website.
            ~scale {image} so that it is {width} px wide
            make {image} {width} pixels wide
        """),
        results=results("""
            {"width": {width}, "height": {h:64..3000}}
            {"status": "{s:saved|resized|done}", "size": "{k:12..900} KB"}
        """),
        domain="images",
    ),
    ToolKind(
        key="share_file",
        names=("share_file", "grantFileAccess"),
        descriptions=("Share a file with someone by email address.", "Give a person access to a document."),
        params=(
            string("file document", "file", "File to share."),
            string("email recipient", "email", "Email of the person."),
            choice("access permission", "access", "What the person may do.", "view|comment|edit", False),
        ),
        requests=lines("""
            ~share {file} with {email}
            ~give {email} {access} access to {file}
            {email} needs to see {file} today, please share it
            Can {email} get {access} rights on {file}?
            I want {email} to have access to {file}
        """),
        results=results("""
            {"status": "{s:shared|access granted|invitation sent}"}
            {"link": "{l:url}"}
        """),
        domain="files",
    ),
    ToolKind(
        key="preheat_oven",
        names=("preheat_oven", "ovenPreheat"),
        descriptions=("Heat the oven up to a temperature.", "Starts preheating the smart oven."),
        params=(
            integer("temperature target_temperature", "heat:120..250", "Temperature in degrees Celsius."),
            flag("fan convection", "fan", "Whether the fan runs.", "with the fan|without the fan", False),
        ),
        requests=lines("""
            ~preheat the oven to {heat} degrees
            I'm making pizza, get the oven to {heat}
            oven at {heat} degrees {fan} please
            The cake needs {heat} degrees. Can you start the oven?
            ~heat the oven up to {heat} degrees {fan}
        """),
        results=results("""
            {"status": "{s:heating|warming up|on}", "time_left": "{m:3..20} minutes"}
            {"ready_time": "{t:time}"}
        """),
        domain="home",
    ),
    ToolKind(
        key="tire_pressure",
        names=("read_tire_pressure", "tirePressure"),
        descriptions=("Air pressure of one tire of the car.", "Reads a tire pressure sensor."),
        params=(
            choice(
                "wheel position", "wheel", "Which tire.", "front left|front right|rear left|rear right|spare"
            ),
        ),
        requests=lines("""
            How much air is in the {wheel} tire?
            does my {wheel} tire need air
            ~check the pressure of the {wheel} tire
            The car pulls to one side. What's the pressure on the {wheel} wheel?
            {wheel} tire pressure
        """),
        results=results("""
            {"pressure": {p:1.5..3.2}}
            {"pressure": {p:1.5..3.2}, "status": "{s:ok|low|too high}"}
        """),
        domain="car",
    ),
    ToolKind(
        key="set_budget",
        names=("set_monthly_budget", "updateBudget"),
        descriptions=("Set how much may be spent in a category.", "Sets the monthly budget of a category."),
        params=(
            choice(
                "category",
                "category",
                "Spending category.",
                "groceries|clothes|travel|hobbies|gifts|transport",
            ),
            number("limit amount", "amount:price", "Most to spend in a month."),
        ),
        requests=lines("""
            ~set my budget for {category} to {amount} a month
            I don't want to spend more than {amount} on {category} each month.
            {category} budget: {amount}
            From now on {amount} a month has to be enough for {category}. Save that as my limit.
            ~limit {category} to {amount} per month
        """),
        results=results("""
            {"category": "{category}", "remaining_budget": {n:2..400}}
            {"status": "{s:saved|updated|set}"}
        """),
        domain="money",
    ),
    ToolKind(
        key="loyalty_points",
        names=("get_loyalty_points", "rewardPoints"),
        descriptions=("How many reward points the customer has.", "Balance of the loyalty program."),
        params=(),
        requests=lines("""
            How many reward points do I have?
            do i have enough points for a free gift yet
            ~check my loyalty points
            What's on my bonus card?
            Show my rewards balance
        """),
        results=results("""
            {"balance": {n:15..9000}}
            {"balance": {n:15..9000}, "tier": "{t:bronze|silver|gold|platinum}"}
        """),
        domain="shop",
    ),
    ToolKind(
        key="product_review",
        names=("submit_review", "rateProduct"),
        descriptions=("Rate a product with stars.", "Publishes a customer rating for a product."),
        params=(
            string("product product_name", "item", "Product to rate."),
            integer("stars rating", "stars:1..5", "From 1 to 5."),
            flag("anonymous", "shown", "Hide the customer's name.", "anonymously|under my name", False),
        ),
        requests=lines("""
            ~rate the {item} with {stars} out of 5
            The {item} I bought deserves {stars} of 5 points, please post that
            ~leave a rating of {stars} for the {item} {shown}
            My rating for the {item} is {stars}
            Post a review for the {item}, {stars} out of 5, {shown}
        """),
        results=results("""
            {"status": "{s:published|waiting for approval|received}"}
            {"average_rating": {a:1.5..4.9}}
        """),
        domain="shop",
    ),
    ToolKind(
        key="heart_rate",
        names=("get_heart_rate", "readPulse"),
        descriptions=("Current pulse from the watch.", "Reads the heart rate sensor of the user's watch."),
        params=(),
        requests=lines("""
            What's my pulse right now?
            how fast is my heart beating
            ~read my heart rate
            I just ran up the stairs, what does my watch say about my heart?
            Heart rate?
        """),
        results=results("""
            {"pulse": {p:48..175}}
            {"heart_rate": {p:48..175}, "zone": "{z:resting|light|moderate|hard}"}
        """),
        domain="health",
    ),
    ToolKind(
        key="log_water",
        names=("log_water_intake", "addWater"),
        descriptions=("Record how much water was drunk.", "Adds a drink to the hydration log."),
        params=(integer("milliliters amount_ml", "ml:100..1500", "Amount in milliliters."),),
        requests=lines("""
            I just drank {ml} ml of water
            ~add {ml} ml to my water log
            Another {ml} milliliters of water for me, write it down.
            log {ml} ml water
            Had a bottle with {ml} ml, please count it
        """),
        results=results("""
            {"daily_total": "{t:400..3500} ml"}
            {"status": "{s:saved|logged}", "goal": "{g:2000|2500|3000} ml"}
        """),
        domain="health",
    ),
    ToolKind(
        key="waste_collection",
        names=("next_waste_collection", "trashPickupDay"),
        descriptions=("When a kind of waste is picked up next.", "Next garbage collection at an address."),
        params=(
            string("address street_address", "address", "Street and number."),
            choice("waste_type kind", "waste", "Kind of waste.", "paper|glass|plastic|organic|bulky", False),
        ),
        requests=lines("""
            When do they collect the trash at {address}?
            next {waste} pickup for {address}
            ~find out when the {waste} waste is picked up at {address}
            Which day do I put the bins out at {address}?
            I live at {address} and the bin is overflowing. When does the truck come?
        """),
        results=results("""
            {"day": "{d:weekday}"}
            {"date": "{d:date}", "time": "{t:time}"}
        """),
        domain="odds",
    ),
    ToolKind(
        key="donate",
        names=("make_donation", "donateMoney"),
        descriptions=("Give money to a charity.", "Donates an amount to a charitable project."),
        params=(
            string(
                "cause charity", "cause:sea rescue|animal shelters|flood relief|food banks", "What it is for."
            ),
            number("amount", "amount:price", "How much to give."),
            flag("monthly recurring", "repeat", "Repeat it every month.", "every month|just once", False),
        ),
        requests=lines("""
            ~donate {amount} to {cause}
            I'd like to give {amount} for {cause} {repeat}
            put me down for {amount} for {cause}
            My grandmother wants to donate {amount} for {cause}, can you arrange that?
            ~give {amount} to {cause} {repeat}
        """),
        results=results("""
            {"status": "{s:confirmed|received|processed}", "receipt": "{r:code}"}
            {"receipt": "{r:code}"}
        """),
        domain="odds",
    ),
    ToolKind(
        key="latest_podcast",
        names=("latest_podcast_episode", "getNewestEpisode"),
        descriptions=("The newest episode of a podcast.", "Finds the most recent episode of a show."),
        params=(string("podcast show", "show:title", "Name of the podcast."),),
        requests=lines("""
            Is there a new episode of the podcast {show}?
            newest episode of {show}
            ~find the latest episode of the podcast "{show}"
            I love the podcast "{show}". What did they put out last?
            Anything new from {show} this week? The podcast, I mean.
        """),
        results=results("""
            {"episode": {n:4..400}, "length": "{m:15..95} minutes"}
            {"title": "{t:title}", "episode": {n:4..400}}
        """),
        domain="media",
    ),
    ToolKind(
        key="rhymes",
        names=("find_rhymes", "rhymeWith"),
        descriptions=("Words that rhyme with a word.", "Rhyming dictionary."),
        params=(
            string("word", "word", "The word to rhyme with."),
            integer("limit max_results", "count:2..15", "Most words to return.", False),
        ),
        requests=lines("""
            What rhymes with {word}?
            I'm writing a poem and need a rhyme for "{word}"
            ~give me {count} rhymes for "{word}"
            ~find something that rhymes with {word}
            rhymes for {word}, {count} are enough
        """),
        results=results("""
            {"rhyme": "{r:pseudo}"}
        """),
        domain="language",
    ),
    ToolKind(
        key="visitor_badge",
        names=("create_visitor_badge", "registerVisitor"),
        descriptions=("Make a badge for a guest of the office.", "Registers a visitor at the front desk."),
        params=(
            string("visitor_name visitor", "name", "Name of the guest."),
            string("company organization", "company", "Where the guest works."),
            string("day visit_day", "day", "Day of the visit.", False),
        ),
        requests=lines("""
            {name} from {company} is coming over, please make a visitor badge
            ~register {name} of {company} as a visitor for {day}
            We need a guest badge for {name}, company is {company}
            ~prepare a badge for our guest {name} from {company}
            Visitor {day}: {name}, {company}
        """),
        results=results("""
            {"badge": {n:10..990}}
            {"badge": {n:10..990}, "floor": {f:1..20}}
        """),
        domain="work",
    ),
    ToolKind(
        key="voicemail",
        names=("check_voicemail", "getVoicemails"),
        descriptions=("New messages on the answering machine.", "Checks the voice mailbox."),
        params=(),
        requests=lines("""
            Did anybody leave me a voicemail?
            any new messages on the answering machine
            ~check my voicemail
            I missed a few calls, is there something on my voice mailbox?
            voicemail?
        """),
        results=results("""
            {"number_of_messages": {n:2..12}}
            {"caller": "{c:name}", "length": "{s:5..90} seconds"}
        """),
        domain="messages",
    ),
]

# Further requests for kinds of the training set.
REQUESTS: dict[str, list[str]] = {
    "weather_now": [
        "do i need a jacket in {city} right now?",
        "I'm about to land in {city}, what's it like outside?",
        "~check how warm it is in {city} in {unit}",
    ],
    "forecast": [
        "we're having a barbecue in {city} {day}, will it stay dry?",
        "~look up what the weather in {city} is going to be {day}",
        "{city}, {day}: sun or rain?",
    ],
    "air_quality": [
        "Is it ok to go jogging in {city} or is there too much smog?",
        "aqi {city}",
        "~see how clean the air is in {city}",
    ],
    "sunrise": [
        "How early does it get light in {city}?",
        "I want to photograph the sunrise in {city} on {date}. When is it?",
        "when does it get dark in {city}",
    ],
    "time_in_city": [
        "Is it too late to call someone in {city}?",
        "what does the clock say in {city}",
        "~find out what time people in {city} have right now",
    ],
    "convert_time": [
        "Our call is at {time} in {origin}. When is that for my colleague in {target}?",
        "{time} {origin} time, what is it in {target}?",
        "If it's {time} in {origin}, what do the clocks show in {target}?",
    ],
    "days_until": [
        "My exam is on {date}, how much time do I have?",
        "how many more sleeps until {date}",
        "~count the days from now to {date}",
    ],
    "weekday_of": [
        "Is {date} on a weekend?",
        "~figure out which day of the week {date} is",
        "my sister was born on {date}, was that a Sunday?",
    ],
    "calculator": [
        "hey whats {expression}",
        "I get a different result for {expression} every time, what is right?",
        "~work this out: {expression}",
    ],
    "unit_convert": [
        "The recipe says {amount} {source} but I only know {target}. How much is that?",
        "{amount} {source} to {target}",
        "~express {amount} {source} in {target}",
    ],
    "tip": [
        "Dinner was {bill} and I want to leave {percent} percent. How much is that?",
        "{percent}% tip on {bill}?",
        "We are {people} people, the check is {bill} and we tip {percent} percent.",
    ],
    "random_number": [
        "Pick any number from {low} to {high} for our raffle",
        "i need something random between {low} and {high}",
        "~choose a number for me, at least {low} and at most {high}",
    ],
    "roll_dice": [
        "My turn in the game! Throw {count} dice.",
        "~throw {count} dice with {sides} sides each",
        "roll me {count} dice would you",
    ],
    "flip_coin": [
        "Heads or tails?",
        "we can't decide who starts, toss a coin for us",
        "~toss a coin",
    ],
    "loan_payment": [
        "If the bank lends me {amount} at {rate} percent for {years} years, what do I pay each month?",
        "mortgage of {amount}, {rate}% interest, {years} years: monthly rate?",
        "~figure out the monthly cost of borrowing {amount} over {years} years at {rate} percent",
    ],
    "currency": [
        "I have {amount} {source} left from my trip. What's that in {target}?",
        "how many {target} do i get for {amount} {source}",
        "~change {amount} {source} into {target}",
    ],
    "stock_price": [
        "How is {ticker} doing on the market?",
        "what's one share of {ticker} worth",
        "~check where {ticker} is trading",
    ],
    "crypto_price": [
        "Should I be happy about my {coin}? What is it at?",
        "{coin} price in {currency}",
        "~see how much one {coin} costs now",
    ],
    "account_balance": [
        "Do I have any money left in my {account} account?",
        "how much is sitting in {account}",
        "~show what is on my {account} account",
    ],
    "transfer_money": [
        "I owe {name} {amount}, send it over please",
        "~wire {amount} to {name}",
        'Please pay {name} {amount} and put "{note}" in the description',
    ],
    "transactions": [
        "What were my last {count} payments?",
        "something looks off on my account, list the last {count} transactions",
        "~pull up the {count} most recent bookings",
    ],
    "pay_bill": [
        "invoice {invoice} is overdue, settle it",
        "~pay invoice {invoice} on {date}",
        "Can you take care of the bill with the number {invoice}?",
    ],
    "block_card": [
        "Someone stole my wallet! Freeze the card ending in {digits}",
        "~block my card with the last digits {digits}",
        "i lost the card that ends with {digits}, nobody should be able to use it",
    ],
    "send_email": [
        'Write to {email} and say "{text}"',
        '~mail "{text}" to {email}',
        'email {email} about {subject} with the message "{text}"',
    ],
    "send_sms": [
        'Let {name} know by text: "{text}"',
        'shoot {name} a message saying "{text}"',
        '~text "{text}" to {name}',
    ],
    "post_channel": [
        'Tell everyone in the {channel} channel: "{text}"',
        '~write "{text}" in the {channel} channel',
        '"{text}" should go into the channel {channel}',
    ],
    "read_inbox": [
        "Did I get any mail?",
        "has {name} emailed me yet",
        "~see what is new in my inbox",
    ],
    "phone_call": [
        "I need to talk to {name} right now",
        "~get {name} on the line",
        "dial {name} {speaker}",
    ],
    "contact_find": [
        "How do I reach {name}?",
        "i cant remember the number of {name}",
        "~dig out the contact details of {name}",
    ],
    "contact_add": [
        "I met {name} today, the number is {phone}, put it in my phone",
        "new contact: {name}, {phone}",
        "~store {phone} as the number of {name}",
    ],
    "create_event": [
        "There's a {event} on {date} at {time}, make sure it is on my calendar",
        "~block {date} for the {event}",
        "put {event} down for {date}",
    ],
    "list_events": [
        "Am I busy {day}?",
        "what have i got planned for {day}",
        "~go through my appointments for {day}",
    ],
    "cancel_event": [
        "The {event} isn't happening anymore, take it off my calendar",
        "~drop the {event} {day} from my schedule",
        "i won't make it to the {event}, delete it from the calendar",
    ],
    "reminder": [
        "At {time} I have to {task}. Don't let me forget!",
        "ping me at {time} to {task}",
        "~nudge me at {time} so that I {task}",
    ],
    "set_alarm": [
        "I have to be up by {time}, set something",
        "alarm {time}",
        "~get me out of bed at {time} {day}",
    ],
    "set_timer": [
        "Tell me when {minutes} minutes are over",
        "timer {minutes} min",
        "The {label} has to cook for {minutes} minutes, start counting",
    ],
    "todo_add": [
        "I still have to {task}, put it on my list",
        "new todo with {priority} priority: {task}",
        '~add "{task}" to my tasks',
    ],
    "todo_list": [
        "What do I still have to get done?",
        "whats left on my list",
        "~read me my open tasks",
    ],
    "todo_done": [
        "Task {id} is finished, tick it off",
        "done with number {id} on my list",
        "~check off task {id}",
    ],
    "shopping_add": [
        "We ran out of {food}, write it on the shopping list",
        "need {food} from the store, add it to the list",
        "~put {count} packs of {food} on the shopping list",
    ],
    "note_create": [
        "Write this down for me: {note}",
        '~jot down "{note}"',
        'Save "{note}" in my {notebook} notebook',
    ],
    "note_search": [
        "Didn't I write something down about {topic}?",
        "~go through my notes for {topic}",
        "where are my notes on {topic}",
    ],
    "play_song": [
        "I'm in the mood for {title}, play it",
        'put on "{title}" by {artist}',
        '~start the song "{title}"',
    ],
    "play_genre": [
        "Some {genre} would be nice now",
        "turn on a {genre} station",
        "~put on {genre} music while I cook",
    ],
    "volume": [
        "It's too loud in here, go to {level} percent",
        "volume {level}",
        "~bring the sound to {level}",
    ],
    "pause_music": [
        "Hold the music for a second, I have a call",
        "stop playing for now",
        "~pause what's playing",
    ],
    "next_track": [
        "I don't like this one, what's next?",
        "skip",
        "~jump to the next track",
    ],
    "movie_info": [
        "Is {title} worth watching? Who is in it?",
        'what kind of movie is "{title}"',
        '~get me some details on the film "{title}"',
    ],
    "cinema": [
        "We want to see {title} tonight, when is it on in {city}?",
        'is "{title}" still in theaters in {city}',
        '~look for screenings of "{title}" in {city}',
    ],
    "lights": [
        "{room} lights {state}",
        "~switch {state} the lamps in the {room}",
        "Can you see to it that the light in the {room} is {state}?",
    ],
    "light_color": [
        "I'd love some {color} light in the {room}",
        "{room} lights to {color}",
        "~make the light in the {room} {color}",
    ],
    "thermostat": [
        "I'm freezing, go up to {degrees} degrees",
        "heating to {degrees} in the {room}",
        "~set the temperature to {degrees} degrees",
    ],
    "lock_door": [
        "I'm already in bed, {action} the {door} for me",
        "pls {action} {door}",
        "~use the app to {action} the {door}",
    ],
    "blinds": [
        "The sun is blinding me, put the blinds in the {room} at {percent} percent",
        "{room} blinds {percent}%",
        "~move the {room} shades to {percent} percent",
    ],
    "device_switch": [
        "I forgot about the {device}, switch it {state}",
        "{device} {state}",
        "~make sure the {device} is {state}",
    ],
    "vacuum_robot": [
        "There are crumbs all over the {room}, send the robot",
        "the {room} floor is dirty, vacuum it",
        "~have the robot clean the {room}",
    ],
    "camera": [
        "I heard a noise. What's going on at the {spot}?",
        "show me the {spot} camera",
        "~grab a snapshot from the {spot} camera",
    ],
    "watering": [
        "It hasn't rained for days, give the {zone} {minutes} minutes of water",
        "water {zone} {minutes} min",
        "~run the sprinklers on the {zone} for {minutes} minutes",
    ],
    "search_web": [
        'Look online for "{query}"',
        '~find {count} pages about "{query}"',
        'what does the internet say about "{query}"',
    ],
    "search_files": [
        "Where on this computer did I save {file}",
        "~find {file} somewhere under {folder}",
        "i cant find {file} anymore, where is it",
    ],
    "read_text_file": [
        "What does it say in {file}",
        "open {file} and show me what's inside",
        "~print the contents of {file} here",
    ],
    "delete_file": [
        "I don't need {file} anymore, get rid of it",
        "~erase {file} for good",
        "rm {file}",
    ],
    "rename_file": [
        "{file} should be called {new} from now on",
        "change the name of {file} to {new} please",
        "~give {file} the new name {new}",
    ],
    "list_folder": [
        "Which files are lying around in {folder} at the moment?",
        "ls {folder}",
        "~show me everything that is in {folder}",
    ],
    "search_docs": [
        "What does the manual say about {topic}?",
        "is there a docs page on {topic}",
        "~check our documentation for {topic}",
    ],
    "news": [
        "Did anything happen with {topic} lately?",
        "headlines on {topic}",
        "~catch me up on {topic}",
    ],
    "open_url": [
        "Go to {url} please",
        "~load {url} in the browser",
        "i want to look at {url} now",
    ],
    "translate": [
        'How do you say "{sentence}" in {language}?',
        '"{sentence}" in {language} please',
        '~put "{sentence}" into {language}',
    ],
    "dictionary": [
        'I came across the word "{word}". What does the dictionary say?',
        "meaning of {word}?",
        '~look up the definition of "{word}"',
    ],
    "spell_check": [
        'Did I spell "{word}" right?',
        "is {word} a typo",
        '~check how "{word}" is spelled',
    ],
    "synonyms": [
        'I keep writing "{word}", what else could I use?',
        "other words for {word}",
        '~suggest a synonym for "{word}"',
    ],
    "route": [
        "How do I get to {destination} if I start in {origin}?",
        "fastest way from {origin} to {destination} by {mode}",
        "~guide me from {origin} to {destination}",
    ],
    "distance": [
        "Is it far from {origin} to {destination}?",
        "how many km between {origin} and {destination}",
        "~measure how far {destination} is from {origin}",
    ],
    "nearby": [
        "I'm in {city} and urgently need a {kind}",
        "closest {kind} in {city}?",
        "~look for a {kind} around {city}",
    ],
    "traffic": [
        "Will I be stuck if I drive through {city} now?",
        "any jams in {city}",
        "~see how the roads in {city} are",
    ],
    "parking": [
        "Where can I leave the car near {address}?",
        "I need a spot close to {address} for {hours} hours",
        "~look for a parking space by {address}",
    ],
    "taxi": [
        "I need a cab at {pickup}",
        "~send a taxi to {pickup} at {time}",
        "We are {people} people standing at {pickup}, get us a cab",
    ],
    "flights": [
        "What's the cheapest way to fly from {origin} to {destination}?",
        "any planes going {origin} to {destination} on {date}",
        "~look for a flight to {destination} that leaves from {origin}",
    ],
    "flight_status": [
        "My mom is on {flight}, has it landed?",
        "is {flight} delayed",
        "~see whether flight {flight} is on time",
    ],
    "trains": [
        "I have to take the train from {origin} to {destination}, when does one go?",
        "trains {origin} to {destination} after {time}",
        "~look up rail connections between {origin} and {destination}",
    ],
    "hotels": [
        "I need somewhere to sleep in {city}",
        "a place to stay in {city} for {nights} nights, not more than {budget} per night",
        "~find a room in {city} for {nights} nights",
    ],
    "rent_car": [
        "We need a car in {city} for {days} days",
        "~get me a {size} rental in {city} for {days} days",
        "rental car {city}, {days} days",
    ],
    "bus_next": [
        "Did I just miss the {line} bus? When's the next?",
        "next {line} from {stop}?",
        "~check when bus {line} comes",
    ],
    "restaurants": [
        "We're hungry and in {city}, where should we eat?",
        "good {cuisine} food in {city}?",
        "~suggest somewhere to eat in {city}",
    ],
    "book_table": [
        "We'd like to eat at {restaurant} at {time}, there are {people} of us",
        "table for {people} at {restaurant}, {time}",
        "~reserve {people} seats at {restaurant} for {time}",
    ],
    "recipe": [
        "I feel like cooking {food} tonight, how is it made?",
        "how do i make {food} for {people} people",
        "~dig up a recipe for {food}",
    ],
    "order_food": [
        "Get me some {food} from {restaurant}",
        "i'm starving, order {food} at {restaurant}",
        "~have {restaurant} deliver {count} portions of {food}",
    ],
    "nutrition": [
        "Is {food} fattening? How many calories does it have?",
        "kcal in {grams} g of {food}",
        "~look up the calories of {food}",
    ],
    "place_order": [
        "I'll take the {item}, order it please",
        "buy {count} of the {item} in {color}",
        "~purchase the {item} for me",
    ],
    "order_status": [
        "I'm still waiting for {order}, what's going on with it?",
        "has order {order} shipped",
        "~see how far along order {order} is",
    ],
    "refund": [
        "I want my money back for order {order}",
        "~reimburse order {order}, the reason is: {reason}",
        "send back the payment for {order} please",
    ],
    "cancel_order": [
        "I ordered the wrong thing, stop {order} before it ships",
        "please call off order {order}",
        "~cancel what I bought under number {order}",
    ],
    "track_parcel": [
        "Where's my package? The number is {parcel}",
        "tracking {parcel}",
        "~see where parcel {parcel} is right now",
    ],
    "inventory": [
        "Do we still have the {item} in the warehouse?",
        "how many {item} units are left in {city}",
        "~check our stock of the product {item}",
    ],
    "product_price": [
        "What would I have to pay for the {item}?",
        "{item} price?",
        "~look up what the {item} costs",
    ],
    "coupon": [
        "I got a discount code in the mail, it's {coupon}",
        "~use voucher {coupon} on my order",
        "can i still redeem {coupon}",
    ],
    "cart_add": [
        "I'll take the {item}, into the cart with it",
        "add {count} of the {item} to my basket",
        "~drop the {item} into my basket",
    ],
    "vacation": [
        "I'd like to be off from {start} until {end}",
        "~request leave from {start} to {end}, reason: {reason}",
        "taking time off, first day {start}, last day {end}",
    ],
    "vacation_left": [
        "How much holiday does {name} have left this year?",
        "vacation days remaining for {name}",
        "~check how many days off {name} can still take",
    ],
    "poll": [
        "Ask the team whether they want {first_option} or {second_option}",
        "let people vote: {first_option} vs {second_option}",
        "~set up a vote between {first_option} and {second_option}",
    ],
    "expense": [
        "I paid {amount} for {category} on my business trip, I want it back",
        "expense {amount} {category}",
        "~file {amount} under {category} for reimbursement",
    ],
    "meeting_room": [
        "We need the room {hall} at {time}",
        "is {hall} free at {time}? if so book it for {hours} hours",
        "~grab the {hall} room for our meeting at {time}",
    ],
    "log_hours": [
        "I worked {hours} hours for {company} today",
        "{hours} h on {company}",
        "~put down {hours} hours on the {company} project",
    ],
    "send_invoice": [
        "{company} owes us {amount}, send them an invoice",
        "bill {company} for {amount}, due on {date}",
        "~make out an invoice over {amount} to {company}",
    ],
    "print_file": [
        "I need {file} on paper",
        "{copies} copies of {file} {ink} please",
        "~send {file} to the printer",
    ],
    "colleague": [
        "Who is {name} and what team are they on?",
        "which department does {name} work in",
        "~look {name} up in the staff directory",
    ],
    "user_lookup": [
        "Who is behind user id {id}?",
        "pull up account {id}",
        "~fetch the record of user {id}",
    ],
    "user_create": [
        "{name} starts today, the address is {email}, set up an account",
        "new user {name}, {email}, role {role}",
        "~register {name} with the email {email}",
    ],
    "user_disable": [
        "{login} left the company, shut down the account",
        "deactivate {login}",
        "~lock the user {login} out",
    ],
    "password_reset": [
        "The user with {email} can't log in anymore and needs a new password",
        "forgot my password, my login is {email}",
        "~send a reset link to {email}",
    ],
    "make_password": [
        "I need a safe password that is {length} characters long",
        "random password, {length} characters, {symbols}",
        "~come up with a password of {length} characters {symbols}",
    ],
    "ticket_create": [
        "Customers complain: {bug}. Please file it",
        '~log a bug called "{bug}" with {priority} priority',
        'new issue: "{bug}"',
    ],
    "ticket_close": [
        "{ticket} is done, you can close it",
        "~mark ticket {ticket} as {resolution}",
        "we don't need ticket {ticket} anymore, close it",
    ],
    "ticket_assign": [
        "{name} should take care of ticket {ticket}",
        "hand {ticket} over to {name}",
        "~make {name} the owner of {ticket}",
    ],
    "deploy": [
        "Ship {service} {version} please",
        "roll out version {version} of {service} to {env}",
        "~push {service} {version} live",
    ],
    "rollback": [
        "The new release of {service} is broken, go back",
        "undo the last deploy of {service}",
        "~revert {service} to what ran before",
    ],
    "restart_service": [
        "{service} hangs, kick it",
        "bounce {service} on {host} please",
        "~give {service} a restart",
    ],
    "logs": [
        "What did {service} write to its log lately?",
        "tail {count} lines of {service}",
        "~show me the {level} messages of {service}",
    ],
    "metrics": [
        "How is {host} doing on {metric}?",
        "{metric} on {host}?",
        "~read the {metric} value of {host}",
    ],
    "ping_host": [
        "Is {host} alive?",
        "can you reach {host}",
        "~see if {host} responds",
    ],
    "dns_lookup": [
        "Which IP does {domain} point to?",
        "nslookup {domain}",
        "~resolve {domain} for me",
    ],
    "scale_service": [
        "Traffic is going up, run {count} copies of {service}",
        "{service} to {count} replicas",
        "~bring {service} to {count} instances",
    ],
    "backup": [
        "Make a safe copy of {folder} before I change anything",
        "save {folder} {packed}",
        "~create a backup of {folder}",
    ],
    "run_tests": [
        "Does {branch} still pass?",
        "run the test suite on {branch}, {speed}",
        "~kick off the tests for branch {branch}",
    ],
    "merge_request": [
        "PR {pr} looks good to me, get it in",
        "go ahead and merge #{pr}",
        "~land pull request {pr}",
    ],
    "feature_flag": [
        "We want to {action} the {feature} flag",
        "{action} feature {feature}",
        "~go and {action} the feature called {feature}",
    ],
    "sql_query": [
        "How many {table} do we have in the database?",
        "row count of {table} for {country}",
        "~count the entries of the {table} table",
    ],
    "gpu_status": [
        "Is GPU {gpu} busy?",
        "how much memory is free on gpu {gpu} of {host}",
        "~look at the load of GPU {gpu}",
    ],
    "cluster_status": [
        "Is everything all right with the cluster?",
        "are all our nodes up",
        "~check how the cluster is doing",
    ],
    "submit_job": [
        "I'd like to run {file} on the cluster",
        "queue {file} on {gpus} gpus",
        "~launch {file} as a cluster job",
    ],
    "cancel_job": [
        "Job {job} is burning money, stop it",
        "kill job {job}",
        "~abort the job with id {job}",
    ],
    "model_list": [
        "Which models can I use at the moment?",
        "what models are up",
        "~show me which models are loaded",
    ],
    "load_model": [
        "We need {model} on the server",
        "start {model} in {dtype}",
        "~bring up {model}",
    ],
    "generate_image": [
        "I'd like a picture of {picture}",
        "paint me {picture}",
        '~create a {size} image that shows "{picture}"',
    ],
    "transcribe": [
        "What is being said in {audio}",
        "{audio} is a recording in {language}, type it out",
        "~write down what people say in {audio}",
    ],
    "sensor_read": [
        "What's the {kind} in the {room}?",
        "{room} {kind} reading",
        "~get the {kind} value from the {room}",
    ],
    "stop_machine": [
        "Emergency! Machine {machine} has to stop",
        "shut machine {machine} off now",
        "~halt machine number {machine}",
    ],
    "match_score": [
        "How did the {team} do?",
        "did {team} win",
        "~get me the latest result of {team}",
    ],
    "standings": [
        "Where are the {team} in the table?",
        "is {team} still in first place",
        "~check the league position of {team}",
    ],
    "log_workout": [
        "Just finished {minutes} minutes of {activity}, write it down",
        "{activity} {minutes} min done",
        "~save my workout: {activity} for {minutes} minutes",
    ],
    "steps": [
        "Did I walk enough {day}? How many steps was it?",
        "step count {day}",
        "~see how many steps I took {day}",
    ],
    "doctor": [
        "I have to see a {kind}, ideally {day}",
        "{kind} appointment {day}?",
        "~get me a slot with the {kind} {day}",
    ],
    "pharmacy": [
        "I'm running out of pills, my prescription is {rx}",
        "refill {rx} please",
        "~renew prescription {rx}",
    ],
    "qr_code": [
        "People should be able to scan a code that leads to {url}",
        "qr for {url}",
        "~turn {url} into a QR code",
    ],
    "shorten_link": [
        "{url} is way too long to type, give me something shorter",
        "short link for {url}",
        "~make a short version of {url}",
    ],
    "library_book": [
        "Can I borrow {title} from the library?",
        'does the library have "{title}" by {author}',
        '~see if the book "{title}" is on the shelf',
    ],
    "event_tickets": [
        "There are {count} of us going to the {event}, get us tickets",
        "{count} tickets {event}",
        "~reserve {count} seats for the {event}",
    ],
    "feed_pet": [
        "{pet} is hungry, give out {grams} grams",
        "{grams} g of food for {pet}",
        "~let the feeder drop {grams} grams for {pet}",
    ],
    "grade": [
        "How is {name} doing in {subject}?",
        "what mark did {name} get in {subject}",
        "~find out the {subject} grade of {name}",
    ],
    "enroll": [
        "{name} wants to take {subject}",
        "sign up {name} for the {subject} class",
        "~put {name} into the {subject} course",
    ],
    "charging": [
        "I have a long drive tomorrow, charge the car to {percent} percent",
        "car battery up to {percent}%",
        "~fill the car's battery to {percent} percent",
    ],
    "car_location": [
        "Where did I leave my car? The plate is {plate}",
        "find car {plate}",
        "~locate the vehicle with the plate {plate}",
    ],
    "elevator": [
        "I'm waiting on floor {floor}, get me the elevator",
        "lift to {floor} please",
        "~send the lift to floor {floor}",
    ],
    "subscribe": [
        "I'd like to get your newsletter, my address is {email}",
        "put {email} on the {often} mailing list",
        "~sign {email} up for the newsletter",
    ],
}

# Requests for two calls of one kind.
PAIRS: dict[str, list[str]] = {
    "weather_now": ["Is it nicer in {city} or in {city2} right now? Get me the weather for both."],
    "forecast": ["I'm in {city} {day} and in {city2} {day2}, what weather should I pack for?"],
    "time_in_city": ["what time do they have in {city} and in {city2}"],
    "calculator": ["Two sums for my homework: {expression} and then {expression2}"],
    "currency": ["What are {amount} {source} in {target}, and {amount2} {source2} in {target2}?"],
    "stock_price": ["I own both {ticker} and {ticker2}. Where do they stand?"],
    "send_sms": ['Text {name} "{text}" and let {name2} know "{text2}"'],
    "contact_find": ["I need to call {name} and also {name2}, what are their numbers?"],
    "reminder": ["Remind me at {time} to {task}, and at {time2} to {task2}"],
    "set_alarm": ["I'm a heavy sleeper: one alarm at {time} and another at {time2} please"],
    "lights": ["Lights {state} in the {room}, and {state2} in the {room2}"],
    "read_text_file": ["Compare {file} with {file2} for me, so read both first"],
    "dictionary": ['What do "{word}" and "{word2}" mean?'],
    "translate": ['I need "{sentence}" in {language} and "{sentence2}" in {language2}'],
    "flight_status": ["My parents arrive on {flight} and my brother on {flight2}, are they on time?"],
    "nutrition": ["Which has more calories, {food} or {food2}? Look up both."],
    "track_parcel": ["I'm waiting for two packages, {parcel} and {parcel2}, where are they?"],
    "product_price": ["what do the {item} and the {item2} cost"],
    "ping_host": ["check that {host} and {host2} are both up"],
    "match_score": ["How did {team} play, and what about {team2}?"],
}
