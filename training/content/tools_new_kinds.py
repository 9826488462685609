"""Further kinds of tools the model is trained on, and what invented tools are made of."""

from __future__ import annotations

from collections.abc import Sequence

from training.content.tool_kinds import (
    Param,
    ToolKind,
    choice,
    flag,
    integer,
    lines,
    number,
    results,
    string,
)


def lines_of(text: str) -> tuple[str, ...]:
    return tuple(text.split())


TOOLS: list[ToolKind] = []


def _add(
    key: str, domain: str, names: str, about: str, params: Sequence[Param], requests: str, told: str = ""
) -> None:
    """Adds a kind: names apart by spaces, descriptions by "|", requests and results on lines of their own."""
    TOOLS.append(
        ToolKind(
            key,
            lines_of(names),
            tuple(about.split("|")),
            tuple(params),
            lines(requests),
            results(told),
            (),
            domain,
        )
    )


_add(
    "library_hold",
    "odds",
    "place_hold reserve_library_book library_hold hold_book",
    "Place a hold on a library book.|Reserves a book at the library.|Put a title on hold",
    (string("title book", "title", "Title of the book.|Which book"),),
    """
    ~put a hold on {title}
    ~reserve {title} at the library
    ~place a library hold for {title}
    I want to borrow {title} when it comes back.
    hold {title} for me at the library
    Can the library keep {title} for me?
    Put me on the waiting list for {title}.
    {title} is checked out. Place a hold.
    library hold: {title}
    Queue me for {title}
    """,
    '{"position": {p:1..20}} => You are number {p} in line for {title}.',
)
_add(
    "gym_class",
    "health",
    "book_gym_class join_class reserve_gym_class gym_booking",
    "Book a place in a gym class.|Sign up for a fitness class.|Reserve a spot at the gym",
    (
        string(
            "class_name class course",
            "course:yoga|pilates|spinning|boxing|zumba|aerobics",
            "The class.|Which class",
        ),
        string("day when", "day", "The day.|Which day"),
    ),
    """
    ~sign me up for {course} {day}
    ~book the {course} class for {day}
    ~reserve a spot in {course} {day}
    I want to do {course} {day}.
    {course} at the gym {day}, please
    Is there room in {course} {day}? Put me down.
    get me into the {course} class {day}
    {day} I'd like to go to {course}. Book it.
    One place in {course}, {day}
    """,
    '{"spot": {n:1..30}} => You have spot {n} in the {course} class.',
)
_add(
    "gym_hours",
    "odds",
    "gym_opening_hours get_gym_hours gym_hours",
    "Opening hours of the gym.|When the gym is open.|Tells when the gym opens and closes",
    (),
    """
    When does the gym open?
    gym hours
    Is the gym still open?
    ~check the gym's opening hours
    How late can I work out at the gym?
    until when is the gym open today
    ~tell me when the gym closes
    Can I go to the gym now or is it closed?
    What are the gym's hours?
    """,
    '{"open": "{a:5..9}:00", "close": "{b:19..23}:00"} => The gym is open from {a}:00 to {b}:00.',
)
_add(
    "plant_care",
    "odds",
    "plant_care get_plant_care plant_tips care_guide",
    "How to care for a plant.|Care tips for a house plant.|Water and light needs of a plant",
    (
        string(
            "plant species",
            "plant:fern|cactus|orchid|basil|rose|ivy|monstera|aloe|mint|tulip",
            "The plant.|Which plant",
        ),
    ),
    """
    How do I take care of a {plant}?
    how often should i water my {plant}
    ~look up plant care for {plant}
    My {plant} looks sad. What does it need?
    care tips for {plant}?
    How much light does a {plant} need?
    ~tell me how to keep a {plant} alive
    I just got a {plant}. Care instructions?
    {plant} care guide
    What does {plant} like, sun or shade?
    """,
    '{"water": "{w:daily|weekly|monthly}", "light": "{l:full sun|half shade|shade}"}',
)
_add(
    "garage_door",
    "home",
    "garage_door control_garage set_garage_door move_garage_door",
    "Open or close the garage door.|Moves the garage door.|Garage door control",
    (choice("action command state", "action", "What to do.|Action", "open|close"),),
    """
    {action} the garage door
    {action} the garage
    garage door: {action}
    I'm in the driveway, {action} the garage.
    Garage, {action} please
    The garage door should {action}.
    make the garage door {action}
    I want the garage door to {action}.
    Would you {action} up the garage?
    """,
    '{"state": "{s:moving|done}"}',
)
_add(
    "weather_alerts",
    "weather",
    "weather_alerts get_storm_warnings severe_weather alerts_for",
    "Severe weather alerts for a place.|Storm and flood warnings.|Lists weather warnings",
    (string("city area place", "city", "The city.|Which area"),),
    """
    Any weather alerts for {city}?
    Is there a storm warning in {city}?
    ~check for weather warnings in {city}
    severe weather {city}
    Should people in {city} worry about flooding?
    Are there warnings out for {city} today?
    ~list the storm alerts near {city}
    Is a hurricane heading for {city}?
    alerts {city}
    """,
    '{"alerts": {n:0..5}, "level": "{l:low|medium|high}"}',
)
_add(
    "museum_hours",
    "info",
    "museum_hours get_museum_hours museum_opening_times",
    "Opening hours of a museum.|When a museum is open.|Looks up museum opening times",
    (
        string("museum name", "museum:title", "The museum.|Name of the museum"),
        string("day", "day", "The day.|Which day", False),
    ),
    """
    When does the {museum} museum open?
    opening hours of the {museum} museum {day}
    Is the {museum} museum open {day}?
    ~find the hours of the {museum} museum
    ~check if the {museum} museum is open {day}
    until when can I visit the {museum} museum
    We want to see the {museum} museum {day}. Is it open?
    museum hours: {museum}
    How late is the {museum} museum open?
    """,
    '{"open": "{a:8..11}:00", "close": "{b:16..20}:00"} => It is open from {a}:00 to {b}:00.',
)
_add(
    "tax_rate",
    "info",
    "sales_tax_rate get_tax_rate tax_lookup vat_rate",
    "Sales tax rate of a country.|Looks up the VAT of a country.|Tax rate lookup",
    (string("country region", "country", "The country.|Where"),),
    """
    What's the sales tax in {country}?
    VAT rate {country}
    How much tax do shops add in {country}?
    ~look up the tax rate for {country}
    ~check the vat in {country}
    tax rate of {country}?
    I'm billing someone in {country}. What VAT applies?
    How high is the sales tax in {country}
    What percentage is the VAT in {country}?
    """,
    '{"rate": {r:1..27}} => The rate in {country} is {r}%.',
)
_add(
    "postcode_lookup",
    "info",
    "postcode_lookup find_postcode zip_code_lookup get_zip",
    "Postcode of an address.|Find the zip code of a street.|Looks up postal codes",
    (
        string("address street", "address", "The address.|Street and number"),
        string("city town", "city", "The city.|Town", False),
    ),
    """
    What's the postcode of {address}?
    zip code for {address} in {city}
    ~look up the postal code of {address}, {city}
    ~find the postcode for {address}
    I need the zip of {address}.
    Which postcode belongs to {address}?
    What zip code should I write for {address}, {city}?
    postcode {address}
    The form asks for the zip of {address} in {city}.
    """,
    '{"postcode": "{p:number}"} => The postcode is {p}.',
)
_add(
    "barcode_scan",
    "shop",
    "barcode_lookup scan_barcode lookup_barcode product_by_barcode",
    "Find a product by its barcode.|Looks up a barcode.|Which product has this barcode",
    (string("barcode code ean", "barcode:number", "The barcode.|Digits of the barcode"),),
    """
    Which product has the barcode {barcode}?
    ~look up barcode {barcode}
    ~scan {barcode}
    barcode {barcode}
    What is this thing with code bars {barcode}?
    The label says {barcode}. What product is it?
    identify the product with barcode {barcode}
    EAN {barcode}, what's that?
    ~find the item for barcode {barcode}
    """,
    '{"product": "{p:item}"} => The product is {p}.',
)
_add(
    "wine_pairing",
    "food",
    "wine_pairing pair_wine suggest_wine wine_for_dish",
    "Suggest a wine for a dish.|Which wine goes with a meal.|Wine pairing",
    (string("dish food meal", "food", "The dish.|What is eaten"),),
    """
    Which wine goes with {food}?
    wine for {food}?
    ~suggest a wine to go with {food}
    ~pair a wine with {food}
    We're having {food}. What wine should I open?
    Red or white with {food}?
    What do I pour with {food}
    A good wine for {food}, please
    I'm serving {food} tonight, recommend a wine.
    """,
    '{"wine": "{w:Riesling|Merlot|Malbec|Chardonnay|Rioja}"} => Try a {w}.',
)
_add(
    "star_sign",
    "info",
    "star_sign zodiac_sign get_zodiac sign_for_birthday",
    "Star sign for a birthday.|Zodiac sign of a date of birth.|Finds somebody's zodiac sign",
    (string("birthday date birth_date", "date", "Date of birth.|The birthday"),),
    """
    What star sign is someone born on {date}?
    zodiac sign for {date}
    ~find my star sign, I was born on {date}
    My birthday is {date}. What's my sign?
    Which sign of the zodiac is {date}?
    ~tell me the zodiac sign of {date}
    born {date}, star sign?
    Am I a Leo if I was born on {date}?
    star sign {date}
    """,
    '{"sign": "{s:Aries|Taurus|Leo|Virgo|Libra|Pisces}"} => The sign is {s}.',
)
_add(
    "horoscope",
    "info",
    "daily_horoscope get_horoscope horoscope read_horoscope",
    "Today's horoscope for a star sign.|Reads the horoscope.|What the stars say",
    (choice("sign star_sign", "sign", "The star sign.|Zodiac sign", "aries|taurus|gemini|leo|virgo|libra"),),
    """
    What's the horoscope for {sign}?
    {sign} horoscope
    ~read me the {sign} horoscope
    I'm a {sign}. What do the stars say?
    horoscope {sign} today
    What do the stars hold for {sign}?
    ~get today's horoscope for {sign}
    How will the day go for a {sign}?
    My sign is {sign}, tell me my horoscope
    """,
    '{"text": "{t:a lucky day|stay calm|good news comes|rest more}"}',
)
_add(
    "tides",
    "weather",
    "tide_times get_tides tides high_tide",
    "High and low tide at a harbor.|Tide times for a place on the coast.|When the tide comes in",
    (
        string("place harbor location", "city", "The place.|Harbor or beach"),
        string("date day", "day", "The day.|Which day", False),
    ),
    """
    When is high tide in {city}?
    tide times {city} {day}
    ~look up the tides for {city}
    When does the tide go out in {city} {day}?
    low tide at {city}?
    We want to walk on the beach of {city} {day}. When is low tide?
    ~check the tide table of {city} for {day}
    tides in {city}
    When will the water be highest in {city}?
    """,
    '{"high": "{a:time}", "low": "{b:time}"} => High tide is at {a} and low tide at {b}.',
)
_add(
    "ski_report",
    "weather",
    "ski_report snow_report get_snow_depth slope_report",
    "Snow report of a ski resort.|Snow depth and open slopes.|How good the skiing is",
    (string("resort place", "resort:city", "The resort.|Where to ski"),),
    """
    How is the snow in {resort}?
    ski report {resort}
    ~get the snow report for {resort}
    How deep is the snow in {resort}?
    Are the slopes open in {resort}?
    Can we ski in {resort} now?
    ~check how many lifts run in {resort}
    Is there enough snow in {resort} for skiing?
    skiing conditions at {resort}
    """,
    '{"snow_cm": {n:5..250}, "lifts_open": {m:1..40}}',
)
_add(
    "blood_pressure",
    "health",
    "log_blood_pressure record_blood_pressure add_bp_reading save_blood_pressure",
    "Log a blood pressure reading.|Records blood pressure.|Save a reading of the blood pressure",
    (
        integer("systolic upper", "upper:95..180", "The upper value.|Systolic"),
        integer("diastolic lower", "lower:55..110", "The lower value.|Diastolic"),
    ),
    """
    ~log my blood pressure: {upper} over {lower}
    My blood pressure is {upper}/{lower}. Write it down.
    ~record {upper} over {lower}
    blood pressure {upper} {lower}
    I just measured {upper} to {lower}, save that.
    BP was {upper}/{lower} today
    ~save a reading of {upper} over {lower}
    The cuff says {upper} over {lower}.
    Add {upper}/{lower} to my pressure diary.
    """,
    '{"saved": true, "category": "{c:normal|elevated|high}"}',
)
_add(
    "medicine_reminder",
    "health",
    "medicine_reminder add_pill_reminder remind_medication pill_alarm",
    "Remind the user to take a medicine.|Sets a pill reminder.|Daily reminder for medication",
    (
        string(
            "medicine drug pill",
            "medicine:aspirin|insulin|ibuprofen|vitamin D|iron|calcium",
            "The medicine.|Which pill",
        ),
        string("time at", "time", "The time.|When to take it"),
    ),
    """
    ~remind me to take my {medicine} at {time}
    I must take {medicine} every day at {time}.
    pill reminder: {medicine}, {time}
    ~set a medicine reminder for {medicine} at {time}
    Don't let me forget the {medicine} at {time}.
    {medicine} at {time} daily, remind me
    My doctor wants me to take {medicine} at {time}. Set a reminder.
    ~tell me every day at {time} to take {medicine}
    At {time} it's time for my {medicine}, ping me
    """,
    '{"status": "ok"}',
)
_add(
    "translation_memory",
    "language",
    "translation_memory search_translation_memory tm_lookup",
    "Search earlier translations of a phrase.|Looks a phrase up in the translation memory.|Past translations",
    (
        string("phrase text", "sentence", "The phrase.|Text to look for"),
        string("language target", "language", "The language.|Target language"),
    ),
    """
    Have we translated "{sentence}" into {language} before?
    ~look in the translation memory for "{sentence}" in {language}
    ~find our earlier {language} translation of "{sentence}"
    translation memory {language}: {sentence}
    How did we put "{sentence}" in {language} last time?
    Past {language} versions of "{sentence}"?
    Is there a stored {language} translation for "{sentence}"?
    ~search old {language} translations for "{sentence}"
    """,
    '{"matches": {n:0..9}}',
)
_add(
    "pdf_merge",
    "files",
    "merge_pdf combine_pdfs join_pdf pdf_merge",
    "Merge two PDF files.|Joins documents into one PDF.|Combine files",
    (
        string("first file_a", "one:file", "The first file.|File that comes first"),
        string("second file_b", "other:file", "The second file.|File that comes after"),
    ),
    """
    ~merge {one} and {other}
    ~combine {one} with {other} into one pdf
    ~join {one} and {other} in a single file
    I need {one} and {other} as one document.
    Put {other} behind {one}.
    make one pdf of {one} and {other}
    {one} + {other} = one file please
    Append {other} to {one}.
    Can you glue {one} and {other} together?
    """,
    '{"output": "{o:file}"} => The merged file is {o}.',
)
_add(
    "image_resize",
    "images",
    "resize_image scale_image image_resize change_image_size",
    "Resize a picture.|Changes the width of an image.|Scale an image to a width in pixels",
    (
        string("image file path", "image:file", "The picture.|Path of the image"),
        integer("width pixels", "width:64..4000", "Width in pixels.|New width"),
    ),
    """
    ~resize {image} to {width} pixels
    ~make {image} {width} pixels wide
    ~scale {image} to a width of {width}
    {image} is too big, {width} px please
    I need {image} at {width} pixels.
    resize {image} {width}
    Shrink {image} to {width} pixels across.
    The picture {image} should be {width} px wide.
    Give me a {width} pixel version of {image}
    """,
    '{"width": {width}, "height": {h:50..3000}}',
)
_add(
    "audio_trim",
    "media",
    "trim_audio cut_audio audio_trim clip_audio",
    "Cut an audio file.|Trims a recording.|Keeps only part of a sound file",
    (
        string("file audio recording", "file", "The recording.|Audio file"),
        integer("start from_second", "start:0..90", "First second to keep.|Start in seconds"),
        integer("end to_second", "end:91..600", "Last second to keep.|End in seconds"),
    ),
    """
    ~trim {file} from second {start} to second {end}
    ~cut {file} so that it runs from {start} to {end} seconds
    Keep only seconds {start} to {end} of {file}.
    trim {file} {start}-{end}
    I need the part of {file} between {start} and {end} seconds.
    {file}: clip from {start} until {end}
    Throw away everything in {file} before {start} and after {end} seconds.
    ~crop the recording {file} to {start} - {end}
    From {file} I just want seconds {start} through {end}.
    """,
    '{"output": "{o:file}"}',
)
_add(
    "git_blame",
    "dev",
    "git_blame blame_line who_changed_line line_author",
    "Who last changed a line of a file.|Finds the author of a line of code.|Runs git blame",
    (
        string("file path", "file", "The file.|Path in the repository"),
        integer("line line_number", "line:1..900", "Line number.|Which line"),
    ),
    """
    Who wrote line {line} of {file}?
    ~blame line {line} in {file}
    git blame {file} line {line}
    Who last touched line {line} in {file}?
    ~find out who changed {file} at line {line}
    {file}:{line}, whose code is that?
    Line {line} of {file} is odd. Who did that?
    author of line {line} in {file}
    Which colleague edited {file}, line {line}?
    """,
    '{"author": "{a:name}", "commit": "{c:number}"} => {a} changed it in commit {c}.',
)
_add(
    "container_restart",
    "ops",
    "restart_container docker_restart container_restart",
    "Restart a container.|Stops and starts a docker container.|Bounce a container",
    (string("container name", "container:service", "The container.|Name of the container"),),
    """
    ~restart the container {container}
    ~bounce the {container} container
    The {container} container hangs. Restart it.
    docker restart {container}
    container {container} needs a restart
    Start the container {container} afresh.
    Could the container {container} be restarted?
    I want container {container} stopped and started again.
    ~give the {container} container a fresh start
    """,
    '{"container": "{container}", "state": "running"}',
)
_add(
    "certificate_renew",
    "ops",
    "renew_certificate cert_renew renew_tls_cert refresh_certificate",
    "Renew the TLS certificate of a site.|Gets a new certificate.|Extends a certificate",
    (string("domain site url", "url", "The site.|Domain of the certificate"),),
    """
    ~renew the certificate of {url}
    ~get a new TLS certificate for {url}
    The certificate for {url} runs out soon. Renew it.
    renew cert {url}
    {url} needs a fresh certificate
    Browsers complain about the certificate of {url}, please renew.
    ~extend the certificate on {url}
    new ssl cert for {url} please
    Could the cert of {url} be renewed?
    """,
    '{"valid_until": "{d:date}"} => The certificate is valid until {d}.',
)
_add(
    "certificate_expiry",
    "ops",
    "certificate_expiry check_certificate cert_valid_until",
    "When a certificate runs out.|Check how long a TLS certificate is valid.|Expiry of a certificate",
    (string("domain site", "url", "The site.|Domain"),),
    """
    When does the certificate of {url} expire?
    ~check how long the cert for {url} is good
    How many days are left on the certificate of {url}?
    cert expiry {url}
    Is the TLS certificate of {url} still valid?
    Until when is the certificate for {url} valid?
    ~look at the certificate of {url}
    Does the certificate on {url} run out this month?
    """,
    '{"days_left": {n:1..365}} => It is valid for {n} more days.',
)
_add(
    "queue_length",
    "ops",
    "queue_length get_queue_size count_queue messages_waiting",
    "How many messages wait in a queue.|Length of a queue.|Queue depth",
    (string("queue name", "queue:service", "The queue.|Name of the queue"),),
    """
    How long is the queue {queue}?
    queue length {queue}
    How many messages are waiting in {queue}?
    ~check the depth of the {queue} queue
    ~count what is in the queue {queue}
    Is the {queue} queue backing up?
    How full is queue {queue}?
    ~tell me how many jobs wait in queue {queue}
    size of queue {queue}?
    """,
    '{"length": {n:0..5000}} => There are {n} messages in {queue}.',
)
_add(
    "cache_purge",
    "ops",
    "purge_cache clear_cache flush_cache cache_purge",
    "Empty the cache of a site.|Clears cached pages.|Flush the cache",
    (string("site domain url", "url", "The site.|Which site"),),
    """
    ~purge the cache of {url}
    ~clear the cache for {url}
    ~flush everything cached for {url}
    {url} still shows the old page. Empty the cache.
    cache purge {url}
    Visitors of {url} see stale pages, clear the cache.
    empty cache: {url}
    Drop the cached copy of {url}.
    I changed {url}, get rid of the cached version
    """,
    '{"purged": {n:1..900}} => {n} pages were purged.',
)
_add(
    "invoice_search",
    "work",
    "search_invoices find_invoices invoice_search list_invoices",
    "Search invoices of a customer.|Finds invoices.|Lists the bills sent to a company",
    (
        string("customer company client", "company", "The customer.|Company that was billed"),
        integer("year", "year", "The year.|From which year", False),
    ),
    """
    ~find all invoices for {company}
    ~search the invoices of {company} from {year}
    Which bills did we send to {company}?
    invoices {company} {year}
    Show me what we invoiced {company} in {year}.
    Do we have open invoices with {company}?
    ~list {company}'s invoices
    What did {company} get billed for?
    I'm looking for an invoice to {company}.
    """,
    '{"count": {n:0..60}, "total": {t:100..90000}}',
)
_add(
    "payroll_run",
    "work",
    "run_payroll start_payroll pay_staff process_payroll",
    "Run the payroll for a month.|Pays the salaries.|Starts payroll",
    (string("month period", "month", "The month.|For which month"),),
    """
    ~run the payroll for {month}
    ~start payroll for {month}
    ~pay out the {month} salaries
    Time for the {month} payroll.
    payroll {month}
    Everybody should get their {month} pay. Run it.
    The {month} wages are due, process them.
    do the {month} salaries now
    Salaries for {month} please
    """,
    '{"paid": {n:3..900}} => {n} people were paid.',
)
_add(
    "payslip",
    "work",
    "get_payslip my_payslip fetch_payslip payslip",
    "The user's payslip of a month.|Fetches a payslip.|Shows what was paid",
    (string("month", "month", "The month.|Which month"),),
    """
    ~show my payslip for {month}
    ~get my {month} payslip
    Where is my payslip from {month}?
    payslip {month}
    What did I earn in {month}?
    I need the {month} pay slip for my landlord.
    ~download my pay stub of {month}
    My {month} payslip, please
    How much was I paid in {month}?
    """,
    '{"net": {n:1500..7000}} => Your net pay was {n}.',
)
_add(
    "timesheet_submit",
    "work",
    "submit_timesheet send_timesheet close_timesheet",
    "Hand in this week's timesheet.|Submits the timesheet.|Sends the hours to the manager",
    (),
    """
    ~submit my timesheet
    ~hand in my timesheet
    ~send in my hours for this week
    My timesheet is complete, send it off.
    timesheet submit
    It's Friday, submit the timesheet.
    I'm done with my timesheet.
    turn in my time sheet
    Could my timesheet go to my manager?
    The timesheet can be sent now.
    """,
    '{"status": "{s:submitted|waiting for approval}"}',
)
_add(
    "light_scene",
    "home",
    "activate_scene set_light_scene start_scene light_scene",
    "Activate a lighting scene.|Switch the lights to a scene.|Starts a scene at home",
    (
        string(
            "scene name",
            "scene:movie|dinner|reading|party|sunset|relax|morning|focus",
            "The scene.|Name of the scene",
        ),
        string("room", "room", "The room.|Where", False),
    ),
    """
    ~start the {scene} scene
    ~activate scene {scene} in the {room}
    {scene} scene please
    Switch to the {scene} light scene.
    ~put the {room} into {scene} mode
    Lights: {scene} scene in the {room}
    I want the {scene} scene.
    set scene {scene}
    Time for the {scene} scene in the {room}!
    """,
    '{"scene": "{scene}", "active": true}',
)
_add(
    "robot_arm",
    "sensors",
    "move_robot_arm arm_move_to robot_arm_goto",
    "Move the robot arm to a position.|Robot arm control.|Moves the arm to x and y",
    (
        number("x x_position", "x:0.5..90.5", "The x position.|x in cm"),
        number("y y_position", "y:0.5..90.5", "The y position.|y in cm"),
    ),
    """
    ~move the robot arm to {x}, {y}
    ~move the arm to x {x} and y {y}
    robot arm to x={x} y={y}
    Arm: go to {x} / {y}
    The arm should be at x {x}, y {y}.
    Bring the arm to position {x} {y}.
    ~steer the robot arm to the point {x}, {y}
    I want the arm at {x} and {y}
    position the gripper at x {x} and y {y}
    """,
    '{"reached": true}',
)
_add(
    "gripper",
    "sensors",
    "set_gripper gripper_control robot_gripper",
    "Open or close the gripper of the robot.|Gripper control.|Moves the robot's fingers",
    (choice("action state", "action", "What to do.|Gripper state", "open|close"),),
    """
    {action} the gripper
    {action} the robot's hand
    gripper {action}
    The gripper should {action} now.
    Robot, {action} your gripper.
    Let the gripper {action}.
    I want the robot to {action} its fingers.
    make the gripper {action}
    {action} the robot gripper
    """,
)
_add(
    "drone_takeoff",
    "sensors",
    "drone_takeoff launch_drone takeoff start_drone",
    "Let the drone take off.|Starts a drone and climbs to a height.|Launch the drone",
    (integer("height altitude", "height:2..120", "Height in meters.|How high to climb", False),),
    """
    ~launch the drone
    ~let the drone take off
    Drone, take off to {height} meters.
    ~send the drone up to {height} meters
    start the drone
    Get the drone in the air.
    drone up, {height} m
    I want the drone at {height} meters.
    Fly the drone up to {height} meters please
    Time to fly: drone up!
    """,
    '{"altitude": {a:2..120}} => The drone is at {a} meters.',
)
_add(
    "drone_land",
    "sensors",
    "drone_land land_drone drone_return return_home",
    "Land the drone.|Brings the drone back.|The drone returns and lands",
    (),
    """
    ~land the drone
    ~bring the drone back
    ~bring the drone down
    The drone should land now.
    Drone, come home!
    drone land
    Get the drone back on the ground.
    I'm done flying. Land it.
    call the drone back
    """,
)
_add(
    "soil_sensor",
    "sensors",
    "soil_moisture read_soil_sensor get_soil_moisture",
    "Soil moisture of a garden bed.|Reads the soil sensor.|How wet the soil is",
    (integer("bed zone bed_number", "bed:1..12", "Number of the bed.|Which bed"),),
    """
    How wet is the soil in bed {bed}?
    soil moisture bed {bed}
    ~read the soil sensor of bed {bed}
    Is the ground in bed {bed} dry?
    Does bed {bed} need water?
    ~check the moisture in bed {bed}
    What does the soil sensor say in bed {bed}?
    Bed {bed}: how dry is it?
    """,
    '{"moisture": {m:1..99}} => The moisture in bed {bed} is {m}%.',
)
_add(
    "water_level",
    "sensors",
    "tank_level get_tank_level water_level read_tank",
    "Fill level of the water tank.|How full the tank is.|Reads the level of the rain tank",
    (),
    """
    How full is the water tank?
    ~check the tank level
    tank level
    How much rain water do we have left in the tank?
    Is the tank empty?
    ~read the level of the tank
    What does the tank gauge say?
    How much is in the tank?
    Is there still water in the rain tank?
    """,
    '{"percent": {p:0..100}} => The tank is {p}% full.',
)
_add(
    "solar_output",
    "sensors",
    "solar_output get_solar_power pv_output solar_production",
    "Power the solar panels make right now.|Output of the solar roof.|Reads the solar inverter",
    (),
    """
    How much power do the solar panels make?
    solar output
    ~check our solar production
    What are the panels on the roof producing?
    Are the solar panels working?
    How much are we getting from the sun today?
    ~read the solar inverter
    solar power right now?
    What is the roof delivering?
    """,
    '{"watts": {w:0..9000}} => The panels make {w} watts.',
)
_add(
    "power_usage",
    "home",
    "energy_usage get_power_usage electricity_usage power_consumption",
    "Electricity used in a period.|How much power the house uses.|Energy consumption",
    (choice("period range", "period", "The period.|Which period", "today|this week|this month|this year"),),
    """
    How much electricity did we use {period}?
    power usage {period}
    ~check our energy consumption {period}
    How much power have I used {period}?
    What is our electricity usage {period}?
    energy used {period}?
    ~tell me how many kilowatt hours we burned {period}
    Did we use a lot of power {period}?
    """,
    '{"kwh": {n:1..900}} => You used {n} kilowatt hours.',
)
_add(
    "start_game",
    "media",
    "start_game launch_game play_game new_game",
    "Start a game.|Launches a video game.|Opens a game",
    (string("game title", "game:title", "The game.|Title of the game"),),
    """
    ~start the game {game}
    ~launch {game} on the console
    I want to play the game {game}.
    Let's play a round of {game}.
    new game of {game}
    Fire up the game {game}!
    game time: {game}
    Open the game {game} for the kids.
    ~begin a new {game} game
    """,
    '{"status": "{s:loading|ready}"}',
)
_add(
    "high_score",
    "odds",
    "get_high_score high_score top_score leaderboard",
    "High score of a game.|Best result in a game.|Shows the top of the leaderboard",
    (string("game title", "game:title", "The game.|Which game"),),
    """
    What's the high score in {game}?
    high score {game}
    Who leads in {game}?
    ~show the leaderboard of {game}
    ~look up the best score in {game}
    What is the record for {game}?
    top score of {game}?
    How many points does the best {game} player have?
    """,
    '{"player": "{p:name}", "score": {s:100..99999}} => {p} leads with {s} points.',
)
_add(
    "quiz_question",
    "school",
    "quiz_question get_quiz_question start_quiz ask_quiz",
    "A quiz question on a subject.|Starts a quiz.|Gives a trivia question",
    (
        string("subject topic category", "subject", "The subject.|What the quiz is about"),
        choice("difficulty level", "difficulty", "How hard.|Difficulty", "easy|medium|hard", False),
    ),
    """
    ~quiz me on {subject}
    ~give me a quiz question about {subject}
    ~start a {difficulty} quiz on {subject}
    I want to be tested on {subject}.
    {subject} quiz, {difficulty}
    Trivia time: {subject}!
    Ask me something {difficulty} about {subject}.
    Let's do a quiz about {subject}
    test my knowledge of {subject}
    """,
)
_add(
    "recipe_scale",
    "food",
    "scale_recipe recipe_scaling adjust_servings",
    "Scale a recipe to a number of servings.|Adjusts amounts of a recipe.|Recipe for more or fewer people",
    (
        string("recipe dish", "food", "The recipe.|Which dish"),
        integer("servings people", "servings:1..24", "Number of servings.|For how many"),
    ),
    """
    ~scale the {food} recipe to {servings} servings
    ~adjust the {food} recipe for {servings} people
    I'm cooking {food} for {servings}. Change the amounts.
    {food} recipe, but {servings} servings
    How much of everything do I need for {servings} servings of {food}?
    Make the {food} recipe big enough for {servings}.
    convert the {food} recipe to {servings} portions
    The {food} should feed {servings} people, recalculate.
    """,
    '{"factor": {f:0.5..6.0}} => Multiply everything by {f}.',
)
_add(
    "language_lesson",
    "school",
    "start_lesson language_lesson next_lesson begin_lesson",
    "Start a language lesson.|Opens the next lesson of a language course.|Language practice",
    (string("language", "language", "The language.|Which language"),),
    """
    ~start my {language} lesson
    ~open the next {language} lesson
    I want to practice {language}.
    {language} lesson please
    Time to learn some {language}.
    Let's go on with {language}.
    Next lesson in {language}!
    I have ten minutes for {language}. Start a lesson.
    begin {language} course
    """,
    '{"lesson": {n:1..80}} => Lesson {n} starts.',
)
_add(
    "hash_text",
    "text",
    "hash_text compute_hash make_hash checksum",
    "Hash a text.|Computes the checksum of a string.|Makes a hash",
    (
        string("text input", "word", "The text.|What to hash"),
        choice("algorithm method", "algorithm", "The algorithm.|Hash function", "md5|sha1|sha256", False),
    ),
    """
    ~hash {word} with {algorithm}
    ~compute the {algorithm} of {word}
    ~hash the text {word}
    What's the {algorithm} hash of {word}?
    {algorithm} {word}
    I need a checksum of "{word}".
    hash of "{word}"?
    Give me the {algorithm} checksum for {word}
    Which hash does "{word}" have?
    """,
    '{"hash": "{h:number}"} => The hash is {h}.',
)
_add(
    "make_uuid",
    "text",
    "generate_uuid new_uuid make_uuid create_id",
    "Make a new UUID.|Generates a unique id.|Random identifier",
    (),
    """
    ~generate a uuid
    ~make me a new uuid
    I need a unique id.
    new uuid
    Give me a random identifier.
    uuid please
    Can I have a fresh UUID?
    ~create an id nobody has used
    One UUID, please.
    """,
    '{"uuid": "{u:number}-{w:number}"} => The id is {u}-{w}.',
)
_add(
    "regex_test",
    "text",
    "test_regex regex_match regex_test check_pattern",
    "Test a regular expression on a text.|Does a pattern match.|Checks a regex",
    (
        string(
            "pattern regex",
            "pattern:[a-z]+|[0-9]+|^a.*z$|(foo)+|[^,]+|x*y",
            "The pattern.|Regular expression",
        ),
        string("text input", "word", "The text.|Text to test"),
    ),
    """
    Does the regex {pattern} match {word}?
    ~test the pattern {pattern} on {word}
    ~check if {pattern} matches "{word}"
    regex {pattern} on "{word}"
    Would {word} be matched by {pattern}?
    Try {pattern} against {word}.
    Is "{word}" a match for the expression {pattern}?
    ~run the regular expression {pattern} over "{word}"
    """,
    '{"matches": {m:true|false}}',
)
_add(
    "json_format",
    "text",
    "format_json pretty_json json_format beautify_json",
    "Format a JSON file.|Pretty-prints JSON.|Indents a JSON file",
    (
        string("file path", "file", "The file.|Path of the JSON file"),
        integer("indent spaces", "indent:2..8", "Spaces of indentation.|Indent", False),
    ),
    """
    ~format the json in {file}
    ~pretty print {file}
    ~indent {file} with {indent} spaces
    {file} is unreadable, format the JSON.
    Make the JSON of {file} pretty.
    beautify {file}
    Please tidy up the json in {file} with an indent of {indent}.
    I want {file} nicely indented by {indent}.
    json format {file}
    """,
    '{"valid": true}',
)
_add(
    "color_convert",
    "images",
    "convert_color color_to_hex color_convert hex_code",
    "Convert a color to another notation.|Color codes.|Gives the hex, RGB or HSL value of a color",
    (
        string("color colour", "color", "The color.|Which color"),
        choice("format notation", "notation", "The notation.|Format", "hex|rgb|hsl"),
    ),
    """
    What is {color} in {notation}?
    ~convert {color} to {notation}
    {notation} code of {color}?
    ~give me the {notation} value of {color}
    I need {color} as {notation}.
    How do I write {color} in {notation}?
    {color} to {notation}
    Which {notation} value is {color}?
    """,
    '{"value": "#{v:number}"} => The value is #{v}.',
)
_add(
    "flashcards",
    "school",
    "make_flashcards create_flashcards flashcards",
    "Make flashcards about a subject.|Study cards",
    (
        string("subject topic", "subject", "The subject.|What to learn"),
        integer("count cards", "count:5..60", "How many cards.|Number of cards", False),
    ),
    """
    ~make flashcards for {subject}
    ~create {count} flashcards about {subject}
    I need {count} study cards on {subject}.
    flashcards {subject}
    Help me learn {subject} with flashcards.
    {count} cards on {subject} please
    I have a test in {subject}. Flashcards!
    Build me a deck of cards for {subject}.
    """,
)
_add(
    "homework_list",
    "school",
    "get_homework homework_list list_homework",
    "List the homework that is due.|Homework",
    (),
    """
    What homework do I have?
    ~show my homework
    Is there any homework for tomorrow?
    homework?
    ~list the homework that is due
    Do I still have homework to do?
    What do I have to do for school?
    ~check my homework list
    """,
    '{"open": {n:0..9}} => You have {n} open pieces of homework.',
)
_add(
    "bus_pass",
    "travel",
    "buy_bus_pass get_transit_pass bus_pass",
    "Buy a pass for bus and tram.|Transit pass",
    (choice("duration length", "duration", "How long it is valid.|Duration", "day|week|month|year"),),
    """
    ~buy me a {duration} pass for the bus
    ~get a bus pass for one {duration}
    I need a {duration} pass for the tram.
    {duration} ticket for buses please
    transit pass, one {duration}
    A bus pass valid for a {duration}.
    I take the bus a lot, buy a {duration} pass.
    One {duration} transit pass, please.
    """,
    '{"pass": "{p:code}"} => Your pass is {p}.',
)
_add(
    "bike_rental",
    "travel",
    "rent_bike unlock_bike bike_rental",
    "Rent a city bike.|Unlock a bike by its number",
    (string("bike bike_number", "bike:number", "Number of the bike.|Which bike"),),
    """
    ~unlock bike {bike}
    ~rent bike number {bike}
    I want to ride bike {bike}.
    bike {bike} please
    Let me take the bike with number {bike}.
    I'm standing next to bike {bike}. Unlock it.
    rent {bike}, the bicycle
    Can I use bike {bike}?
    """,
)
_add(
    "ferry_times",
    "travel",
    "ferry_schedule ferry_times next_ferry",
    "When ferries leave.|Ferry timetable",
    (
        string("origin from_port", "origin:city", "Port of departure.|From where"),
        string("destination to_port", "destination:city", "Port of arrival.|To where"),
    ),
    """
    When does the ferry from {origin} to {destination} leave?
    ferry {origin} {destination}
    ~look up ferries from {origin} to {destination}
    Is there a boat from {origin} to {destination}?
    Next ferry to {destination} from {origin}?
    I want to sail from {origin} to {destination}. When can I?
    ~find the next ferry between {origin} and {destination}
    boats leaving {origin} for {destination}
    """,
    '{"departure": "{d:time}"} => The ferry leaves at {d}.',
)
_add(
    "packing_list",
    "travel",
    "packing_list make_packing_list what_to_pack",
    "Packing list for a trip.|What to pack",
    (
        string("city destination", "city", "Where the trip goes.|Destination"),
        integer("days nights", "days:1..30", "Days of the trip.|How many days"),
    ),
    """
    What should I pack for {days} days in {city}?
    ~make a packing list for {days} days in {city}
    packing list {city} {days} days
    I'm off to {city} for {days} days. What do I take along?
    ~write down what to pack for {city}, {days} days
    Help me pack: {days} days, {city}
    What goes in my suitcase for {days} days in {city}?
    {days} days {city}, what do I bring?
    """,
)
_add(
    "visa_rules",
    "info",
    "visa_requirements check_visa visa_rules",
    "Whether a visa is needed.|Visa rules of a country",
    (string("country destination", "country", "The country.|Destination"),),
    """
    Do I need a visa for {country}?
    visa {country}
    ~check the visa rules for {country}
    Can I enter {country} without a visa?
    What papers do I need for {country}?
    ~find out whether {country} wants a visa
    Is a visa required to visit {country}?
    I'm going to {country}. Visa or not?
    """,
    '{"visa_required": {v:true|false}}',
)
_add(
    "seat_upgrade",
    "travel",
    "upgrade_seat request_upgrade seat_upgrade",
    "Upgrade the seat on a flight.|Better seat",
    (string("flight flight_number", "flight", "The flight.|Flight number"),),
    """
    ~upgrade my seat on {flight}
    ~get me a better seat on {flight}
    I want business class on {flight}.
    seat upgrade {flight}
    Can I be upgraded on {flight}?
    More leg room on {flight}, please.
    {flight}: upgrade me
    Ask for an upgrade on flight {flight}.
    """,
    '{"seat": "{s:1..40}{l:A|B|C|D}"} => Your new seat is {s}{l}.',
)
_add(
    "smoke_alarm_test",
    "home",
    "test_smoke_alarm smoke_alarm_test",
    "Test the smoke alarm.|Runs a smoke detector test",
    (),
    """
    ~test the smoke alarm
    ~run a test of the smoke detectors
    Does the smoke alarm still work?
    smoke alarm test
    I want to try the smoke detector.
    Are the smoke detectors fine? Test them.
    ~do a smoke alarm check
    Try out the smoke alarm, please.
    """,
    '{"battery": {b:1..100}}',
)
_add(
    "oven_preheat",
    "home",
    "preheat_oven heat_oven oven_on",
    "Preheat the oven.|Heats the oven to a temperature",
    (integer("temperature degrees", "degrees:120..280", "Degrees.|Oven temperature"),),
    """
    ~preheat the oven to {degrees} degrees
    ~heat the oven to {degrees}
    Oven to {degrees} please
    I'm baking soon, {degrees} degrees.
    Get the oven up to {degrees}.
    oven {degrees}
    The oven should be at {degrees} degrees.
    Warm up the oven, {degrees} degrees
    """,
)
_add(
    "washer_left",
    "home",
    "washer_time_left laundry_status washing_time",
    "How long the washer still runs.|Laundry status",
    (),
    """
    How long does the washing machine still run?
    Is the laundry done?
    laundry status
    ~check the washing machine
    When will my clothes be washed?
    How much longer for the laundry?
    Has the washer finished?
    ~see if the wash is ready
    """,
    '{"minutes": {n:0..120}} => It needs {n} more minutes.',
)
_add(
    "fridge_content",
    "food",
    "fridge_contents whats_in_fridge list_fridge",
    "What is in the fridge.|Lists the fridge",
    (),
    """
    What's in the fridge?
    ~list what is in the fridge
    fridge contents
    Do we have anything to eat in the fridge?
    ~look into the fridge
    What food do we have at home?
    Is the fridge empty?
    ~tell me what the fridge holds
    """,
)
_add(
    "alarm_arm",
    "home",
    "arm_alarm set_home_alarm security_mode",
    "Arm or disarm the burglar alarm.|Home security",
    (choice("mode state", "mode", "The mode.|Alarm mode", "away|night|off"),),
    """
    ~set the house alarm to {mode}
    ~put the alarm system in {mode} mode
    Security mode {mode}
    house alarm {mode} please
    I want the burglar alarm on {mode}.
    Switch home security to {mode}.
    The security system should be {mode}.
    burglar alarm: {mode}
    """,
)
_add(
    "baby_monitor",
    "home",
    "baby_monitor check_nursery listen_nursery",
    "Sound of the nursery.|Baby monitor",
    (),
    """
    Is the baby asleep?
    ~check the baby monitor
    ~listen in on the nursery
    Is the baby crying?
    baby monitor
    How is the little one doing?
    ~see if the baby is awake
    Can you hear the baby?
    """,
    '{"sound": "{s:quiet|crying|talking}"}',
)
_add(
    "wifi_guest",
    "home",
    "guest_wifi enable_guest_wifi toggle_guest_network",
    "Turn guest wifi on or off.|Guest network",
    (flag("enabled on active", "state", "Whether it is on.|On or off", "on|off"),),
    """
    ~turn the guest wifi {state}
    ~switch {state} the guest network
    guest wifi {state}
    Visitors are here, guest wifi {state}.
    The guest network should be {state}.
    Wifi for guests: {state}
    I want the guest wifi {state}.
    Please put the guest network {state}
    """,
)
_add(
    "speed_test",
    "home",
    "internet_speed speed_test run_speed_test",
    "Measure the internet speed.|Runs a speed test",
    (),
    """
    How fast is my internet?
    ~run a speed test
    ~test the internet speed
    speed test
    Is our connection slow today?
    What download speed do I get?
    ~measure how fast the internet is
    The internet feels slow. Measure it.
    """,
    '{"down": {d:1..900}, "up": {u:1..300}} => You get {d} megabits down and {u} up.',
)
_add(
    "water_intake",
    "health",
    "log_water track_water add_water",
    "Log water the user drank.|Tracks drinking",
    (integer("milliliters ml amount", "ml:100..900", "Milliliters.|How much"),),
    """
    ~log {ml} ml of water
    I drank {ml} milliliters of water.
    water {ml} ml
    ~add {ml} ml to my water today
    Just had {ml} ml of water, write it down.
    ~track a drink of {ml} ml
    {ml} ml of water went down
    Put {ml} milliliters into my water log.
    """,
)
_add(
    "sleep_report",
    "health",
    "sleep_report get_sleep last_night_sleep",
    "How the user slept.|Sleep data of last night",
    (),
    """
    How did I sleep?
    ~show my sleep report
    How many hours did I sleep last night?
    sleep data
    Did I sleep well?
    ~check my sleep
    ~tell me about my sleep last night
    Was my night any good?
    """,
    '{"hours": {h:3.0..10.0}} => You slept {h} hours.',
)
_add(
    "weight_log",
    "health",
    "log_weight record_weight weigh_in",
    "Record the body weight.|Weight diary",
    (number("kilos weight kg", "kilos:45.0..140.0", "Weight in kilos.|Kilos"),),
    """
    ~log my weight: {kilos} kg
    I weigh {kilos} kilos today.
    weight {kilos}
    ~write down {kilos} kg as my weight
    The scale says {kilos}. Record it.
    My weight is {kilos} kg, save it
    ~record a weight of {kilos} kilos
    Weigh-in: {kilos}
    """,
)
_add(
    "allergy_add",
    "health",
    "add_allergy record_allergy",
    "Add an allergy to the file.|Records an allergy",
    (
        string("allergen substance", "food", "What causes it.|Allergen"),
        string("patient name", "name", "The patient.|Who", False),
    ),
    """
    ~add an allergy to {food}
    I'm allergic to {food}. Put that in my file.
    {name} is allergic to {food}, record it.
    ~note a {food} allergy for {name}
    allergy: {food}
    New allergy for {name}: {food}
    Write down that {name} can't have {food} because of an allergy.
    Add {food} to my allergies.
    """,
)
_add(
    "meditation",
    "health",
    "start_meditation meditate breathing_exercise",
    "Start a meditation.|Guided breathing",
    (integer("minutes length", "minutes:2..45", "Minutes.|How long"),),
    """
    ~start a {minutes} minute meditation
    I want to meditate for {minutes} minutes.
    meditation, {minutes} minutes
    {minutes} minutes of quiet breathing please
    Help me calm down for {minutes} minutes.
    ~guide me through {minutes} minutes of meditation
    Let's meditate {minutes} minutes
    A meditation of {minutes} minutes, please.
    """,
)
_add(
    "calorie_day",
    "health",
    "calories_today my_calories calorie_count",
    "Calories eaten today.|Calorie counter",
    (),
    """
    How many calories did I eat today?
    ~check my calories
    calories today
    Have I eaten too much today?
    ~show my calorie count
    Where am I with my calories?
    ~tell me how many calories I had
    What's my calorie total?
    """,
    '{"calories": {n:200..3500}} => You had {n} calories.',
)
_add(
    "git_log",
    "dev",
    "git_log recent_commits list_commits",
    "Latest commits of a branch.|Commit history",
    (
        string("branch ref", "branch", "The branch.|Which branch"),
        integer("count limit", "count:1..50", "How many.|Number of commits", False),
    ),
    """
    ~show the latest commits on {branch}
    ~list {count} commits of {branch}
    What was committed to {branch}?
    git log {branch}
    last {count} commits on {branch}
    What happened on {branch} lately?
    Commit history of {branch} please
    Who pushed to {branch} recently?
    """,
)
_add(
    "git_branch",
    "dev",
    "create_branch new_branch git_branch",
    "Create a branch.|New git branch",
    (string("name branch", "branch", "Name of the branch.|The new branch"),),
    """
    ~create a branch {branch}
    ~make a new branch called {branch}
    new branch {branch}
    I need a branch named {branch}.
    Branch off as {branch}.
    git branch {branch}
    ~start a branch {branch}
    Open a new branch: {branch}
    """,
)
_add(
    "revert_commit",
    "dev",
    "revert_commit git_revert undo_commit",
    "Revert a commit.|Undo a change in git",
    (string("commit sha", "commit:number", "The commit.|Id of the commit"),),
    """
    ~revert commit {commit}
    ~undo the commit {commit}
    Commit {commit} broke things, take it back.
    git revert {commit}
    Roll commit {commit} back out.
    {commit} was a bad commit. Revert.
    I want commit {commit} undone.
    Please back out commit {commit}
    """,
)
_add(
    "lint",
    "dev",
    "run_linter lint_file lint_code",
    "Lint a source file.|Checks the style of code",
    (string("file path", "file", "The file.|Which file"),),
    """
    ~lint {file}
    ~run the linter on {file}
    ~check the style of {file}
    Does {file} pass the linter?
    lint check for {file}
    Any style problems in {file}?
    Is the code in {file} clean?
    linter, {file}
    """,
    '{"warnings": {n:0..40}} => There are {n} warnings.',
)
_add(
    "coverage",
    "dev",
    "test_coverage get_coverage coverage_report",
    "Test coverage of the code.|Coverage report",
    (),
    """
    What's our test coverage?
    ~show the coverage report
    coverage?
    How much of the code is covered by tests?
    ~check the test coverage
    Is our coverage good?
    How well is the code tested?
    ~get the coverage numbers
    """,
    '{"percent": {p:10..100}} => The coverage is {p}%.',
)
_add(
    "build_docs",
    "dev",
    "build_docs generate_docs make_docs",
    "Build the documentation.|Generates docs",
    (),
    """
    ~build the docs
    ~generate the documentation
    The docs are old, rebuild them.
    build docs
    I want fresh documentation.
    ~make the docs again
    Can the docs be built?
    Let's render the documentation.
    """,
)
_add(
    "upgrade_package",
    "dev",
    "upgrade_package update_dependency bump_package",
    "Upgrade a package.|Bump a dependency",
    (
        string("package name", "package:service", "The package.|Which package"),
        string("version", "version", "The version.|To which version", False),
    ),
    """
    ~upgrade the package {package}
    ~bump {package} to {version}
    update the dependency {package}
    We should use {package} {version}.
    {package} is outdated. Upgrade it.
    package upgrade: {package} {version}
    Move the package {package} to version {version}.
    Get the newest release of the {package} package.
    """,
)
_add(
    "uptime",
    "ops",
    "get_uptime server_uptime host_uptime",
    "How long a server has been up.|Uptime",
    (string("host server", "host", "The server.|Which host"),),
    """
    How long has {host} been up?
    uptime {host}
    ~check the uptime of {host}
    When was {host} last rebooted?
    Did {host} restart recently?
    ~tell me how long {host} has been running
    {host} uptime?
    Since when is {host} running?
    """,
    '{"days": {n:0..800}} => {host} has been up for {n} days.',
)
_add(
    "disk_space",
    "ops",
    "disk_space free_disk disk_usage",
    "Free disk space of a server.|Disk usage",
    (string("host server", "host", "The server.|Which machine"),),
    """
    How much disk space is left on {host}?
    disk usage {host}
    ~check the free space on {host}
    Is the disk of {host} full?
    How full is the disk on {host}?
    ~look at disk usage for {host}
    Do we have room on {host}?
    free space {host}?
    """,
    '{"free_gb": {n:0..4000}} => {n} GB are free on {host}.',
)
_add(
    "silence_alert",
    "ops",
    "silence_alert mute_alert snooze_alert",
    "Silence an alert for some minutes.|Mute alerts",
    (
        string("alert name", "alert:service", "The alert.|Which alert"),
        integer("minutes duration", "minutes:5..240", "Minutes.|For how long"),
    ),
    """
    ~silence the alert {alert} for {minutes} minutes
    ~mute {alert} for {minutes} minutes
    The {alert} alert is noise. Quiet for {minutes} minutes.
    snooze alert {alert} {minutes} min
    Stop paging me about {alert} for {minutes} minutes.
    No {alert} alerts for {minutes} minutes please
    I know about {alert}, mute the alert {minutes} minutes.
    alert {alert}: silent for {minutes} minutes
    """,
)
_add(
    "on_call",
    "ops",
    "who_is_on_call get_on_call on_call_engineer",
    "Who is on call.|Engineer on duty",
    (),
    """
    Who is on call?
    ~check who is on call now
    on call?
    Which engineer is on duty tonight?
    Whom do I page?
    ~find the person on duty
    Who has the pager?
    ~tell me who is on call this week
    """,
    '{"engineer": "{p:name}"} => {p} is on call.',
)
_add(
    "rotate_secret",
    "ops",
    "rotate_secret rotate_key new_api_key",
    "Rotate an API key.|Replaces the secret of a service",
    (string("service name", "service", "The service.|Whose key"),),
    """
    ~rotate the key of {service}
    ~rotate the secret for {service}
    The key of {service} leaked. Make a new one.
    new api key for {service}
    Replace the secret of {service}.
    {service} needs a new key
    Swap the {service} credentials, please.
    rotate {service} secret
    """,
)
_add(
    "create_database",
    "ops",
    "create_database new_database db_create",
    "Create a database.|New empty database",
    (string("name database", "database:word", "Name of the database.|How to call it"),),
    """
    ~create a database named {database}
    ~make a new database called {database}
    I need an empty database {database}.
    new db {database}
    Set up a database with the name {database}.
    database {database}, please create it
    Add a database: {database}
    Give me a fresh database called {database}
    """,
)
_add(
    "train_status",
    "cluster",
    "training_status get_training_progress",
    "Progress of a training run.|How training goes",
    (string("run run_name", "run:model", "The run.|Name of the run"),),
    """
    How is the training of {run} going?
    training status {run}
    ~check the progress of {run}
    Is {run} still training?
    What's the loss of {run}?
    ~see how far {run} has come
    When is the {run} training done?
    progress {run}?
    """,
    '{"step": {s:100..90000}, "loss": {l:0.5..6.5}} => Step {s}, with a loss of {l}.',
)
_add(
    "book_club",
    "odds",
    "join_book_club book_club_signup",
    "Join the book club.|Sign up for the reading group",
    (),
    """
    ~sign me up for the book club
    I want to join the book club.
    ~join the reading group
    book club please
    Can I be in the book club?
    Put me in the reading group.
    Add me to the book club.
    I love reading, get me into the book club.
    """,
)
_add(
    "gift_card",
    "shop",
    "buy_gift_card gift_card send_gift_card",
    "Buy a gift card.|Gift card for somebody",
    (
        number("amount value", "price", "The amount.|Value of the card"),
        string("recipient to", "name", "Who gets it.|Recipient", False),
    ),
    """
    ~buy a gift card for {price}
    ~send {name} a gift card worth {price}
    gift card {price}
    I want to give {name} a {price} gift card.
    {name} gets a gift card of {price}.
    A {price} dollar gift card, please.
    Get a gift card over {price} for {name}
    One gift card, {price}
    """,
)
_add(
    "wishlist",
    "shop",
    "add_to_wishlist wishlist_add save_for_later",
    "Add a product to the wish list.|Save for later",
    (string("item product", "item", "The product.|What to save"),),
    """
    ~add the {item} to my wish list
    ~save the {item} for later
    wishlist: {item}
    I'd love to have the {item} one day. Wish list.
    Put {item} on my wishlist.
    remember the {item} on the wish list
    The {item} goes on my wish list.
    Not now, but save the {item} to my wishlist
    """,
)
_add(
    "store_hours",
    "shop",
    "store_hours shop_opening_hours",
    "Opening hours of a shop.|When a store is open",
    (string("store shop", "company", "The shop.|Name of the store"),),
    """
    When does {company} open?
    opening hours {company}
    Is {company} open now?
    ~check the opening hours of {company}
    How late does {company} close?
    Until when can I shop at {company}?
    ~find out if {company} is still open
    store hours of {company}
    """,
    '{"open": "{a:7..11}:00", "close": "{b:17..23}:00"} => It is open from {a}:00 to {b}:00.',
)
_add(
    "size_guide",
    "shop",
    "size_guide find_my_size shoe_size",
    "Clothing size for a height.|Size guide",
    (
        integer("height cm", "height:140..205", "Height in cm.|How tall"),
        string("garment item", "garment:jacket|shirt|coat|dress|sweater", "What to wear.|Garment", False),
    ),
    """
    What size do I need at {height} cm?
    I'm {height} cm tall. Which {garment} size?
    size guide {height} cm
    ~find my {garment} size, I'm {height} cm
    Which size fits someone of {height} cm?
    {garment} for {height} cm, what size
    ~look up the size for {height} cm
    What {garment} size is right for {height} cm?
    """,
    '{"size": "{s:S|M|L|XL}"} => The size is {s}.',
)
_add(
    "donate",
    "money",
    "make_donation donate give_to_charity",
    "Donate money to a charity.|Makes a donation",
    (
        number("amount sum", "price", "The amount.|How much"),
        string("charity organization", "company", "The charity.|To whom"),
    ),
    """
    ~donate {price} to {company}
    I want to give {price} to {company}.
    donation: {price}, {company}
    ~make a donation of {price} to {company}
    {company} should get {price} from me as a gift.
    Give {company} a {price} donation.
    Support {company} with {price}
    A donation to {company}, {price} dollars
    """,
)
_add(
    "savings_goal",
    "money",
    "set_savings_goal savings_goal",
    "Set a savings goal.|Goal to save for",
    (
        string("goal purpose", "item", "What to save for.|Purpose"),
        number("amount target", "price", "The amount.|How much to save"),
    ),
    """
    ~set a savings goal of {price} for a {item}
    I want to save {price} for a {item}.
    savings goal: {item}, {price}
    I'm saving up for a {item}. Goal {price}.
    ~start saving {price} for a {item}
    Goal: {price} for the {item}
    Help me put aside {price} for a {item}.
    new savings goal {item} {price}
    """,
)
_add(
    "exchange_shares",
    "money",
    "buy_shares trade_stock buy_stock",
    "Buy shares of a stock.|Places a stock trade",
    (
        string("symbol ticker", "ticker", "The symbol.|Ticker of the stock"),
        integer("shares quantity", "shares:1..500", "How many shares.|Quantity"),
    ),
    """
    ~buy {shares} shares of {ticker}
    {shares} {ticker} shares please
    I want {shares} shares of {ticker}.
    Put in an order for {shares} {ticker} shares.
    buy {ticker} x{shares}
    ~get me {shares} of {ticker}
    Add {shares} {ticker} shares to my portfolio.
    Purchase {shares} shares in {ticker}
    """,
)
_add(
    "credit_score",
    "money",
    "get_credit_score credit_score",
    "The user's credit score.|Credit rating",
    (),
    """
    What's my credit score?
    ~check my credit score
    credit score
    How good is my credit?
    ~show my credit rating
    Is my credit any good?
    ~tell me my score at the credit agency
    Would I get a loan with my credit score?
    """,
    '{"score": {s:300..850}} => Your credit score is {s}.',
)
_add(
    "music_identify",
    "media",
    "identify_song what_song_is_this recognize_music",
    "Recognize the song that plays.|Song id",
    (),
    """
    What song is this?
    ~identify this song
    Who sings this?
    name that tune
    ~find out what is playing
    Which song is playing right now?
    I love this song, what is it?
    ~recognize the music
    """,
    '{"title": "{a:title}", "artist": "{b:artist}"} => This is {a} by {b}.',
)
_add(
    "podcast_play",
    "media",
    "play_podcast start_podcast podcast",
    "Play a podcast.|Newest episode of a podcast",
    (string("podcast show", "title", "The podcast.|Name of the show"),),
    """
    ~play the podcast {title}
    ~start the newest episode of the podcast {title}
    I want to hear the {title} podcast.
    podcast {title}
    Put on the {title} podcast.
    The latest {title} episode, the podcast
    Let me listen to the podcast {title}.
    {title} podcast please
    """,
)
_add(
    "tv_channel",
    "media",
    "change_channel set_tv_channel tv_channel",
    "Change the TV channel.|Switch channels",
    (integer("channel number", "channel:1..300", "Channel number.|Which channel"),),
    """
    ~switch to channel {channel}
    ~put the TV on channel {channel}
    channel {channel}
    I want to watch channel {channel}.
    TV: {channel}
    Change the channel to {channel}.
    What's on channel {channel}? Put it on.
    Go to channel {channel} on the television
    """,
)
_add(
    "lyrics",
    "media",
    "get_lyrics song_lyrics find_lyrics",
    "Words of a song.|Finds lyrics",
    (
        string("song title", "title", "The song.|Title of the song"),
        string("artist band", "artist", "The artist.|Who sings it", False),
    ),
    """
    ~show me the lyrics of {title}
    What are the words of {title} by {artist}?
    lyrics {title}
    I want to sing along to {title}. Lyrics?
    ~find the lyrics of {title} by {artist}
    How does the text of {title} go?
    The lyrics for {title}, please
    {title} by {artist}, lyrics
    """,
)
_add(
    "photo_take",
    "images",
    "take_photo snap_picture capture_photo",
    "Take a photo with the camera.|Camera shutter",
    (),
    """
    ~take a photo
    ~take a picture of us
    Say cheese!
    snap a picture
    Smile everybody. Take the photo!
    photo please
    I want a picture of this.
    Shoot a photo now.
    """,
    '{"file": "{f:file}"} => The photo is {f}.',
)
_add(
    "remove_background",
    "images",
    "remove_background cut_out_background",
    "Remove the background of a picture.|Cut-out",
    (string("image file", "image:file", "The picture.|Image file"),),
    """
    ~remove the background of {image}
    ~cut out the background from {image}
    {image} without background please
    I need {image} with a transparent background.
    background removal: {image}
    Get rid of what is behind the person in {image}.
    Make the background of {image} disappear.
    Take the background out of {image}
    """,
)
_add(
    "convert_file",
    "files",
    "convert_file change_format file_convert",
    "Convert a file to another format.|File converter",
    (
        string("file path", "file", "The file.|What to convert"),
        choice("format to", "format", "The format.|Target format", "pdf|png|csv|docx|mp3|html"),
    ),
    """
    ~convert {file} to {format}
    ~turn {file} into a {format}
    I need {file} as {format}.
    {file} to {format} please
    Can I have {file} in {format}?
    Save {file} as a {format} file.
    make a {format} out of {file}
    Change the format of {file} to {format}
    """,
)
_add(
    "zip_folder",
    "files",
    "zip_folder compress_folder make_archive",
    "Compress a folder.|Packs a folder into a zip",
    (string("folder path", "folder", "The folder.|Which folder"),),
    """
    ~zip {folder}
    ~compress the folder {folder}
    ~pack {folder} into an archive
    Make a zip of {folder}.
    zip up {folder}
    I want to mail {folder}, compress it first.
    {folder} as a zip file please
    Archive of {folder}, zipped
    """,
    '{"archive": "{a:file}"} => The archive is {a}.',
)
_add(
    "share_file",
    "files",
    "share_file give_access share_document",
    "Share a file with somebody.|Gives access to a file",
    (
        string("file document", "file", "The file.|What to share"),
        string("person user", "name", "With whom.|Who gets access"),
    ),
    """
    ~share {file} with {name}
    ~give {name} access to {file}
    {name} needs to see {file}.
    Let {name} open {file}.
    share {file} {name}
    Can {name} get access to {file}?
    Please make {file} visible to {name}
    {file} should be shared with {name}.
    """,
)
_add(
    "word_count",
    "text",
    "word_count count_words text_length",
    "Count the words of a file.|How long a text is",
    (string("file document", "file", "The file.|Which document"),),
    """
    How many words does {file} have?
    ~count the words in {file}
    word count {file}
    How long is {file} in words?
    ~tell me the word count of {file}
    Is {file} too long? Count the words.
    Words in {file}?
    Length of {file} in words please
    """,
    '{"words": {n:10..90000}} => {file} has {n} words.',
)
_add(
    "summarize_file",
    "text",
    "summarize_document summarize_file make_summary",
    "Summarize a document.|Short version of a file",
    (string("file document", "file", "The document.|Which file"),),
    """
    ~summarize {file}
    ~give me a summary of {file}
    What's {file} about, in short?
    I have no time to read {file}. Sum it up.
    summary of {file}
    The short version of {file}, please
    Boil {file} down to a few lines.
    What are the main points of {file}?
    """,
)
_add(
    "text_case",
    "text",
    "change_case convert_case text_case",
    "Change upper and lower case of a text.|Letter case",
    (
        string("text input", "sentence", "The text.|What to change"),
        choice("case style", "style", "The case.|Letter case", "upper|lower|title"),
    ),
    """
    ~put "{sentence}" in {style} case
    ~change "{sentence}" to {style} case
    "{sentence}" in {style} case please
    {style} case: {sentence}
    I need "{sentence}" in {style} case.
    convert "{sentence}" to {style}case
    Write "{sentence}" with {style} case letters.
    Make this {style} case: {sentence}
    """,
)
_add(
    "base64",
    "text",
    "encode_base64 base64_encode to_base64",
    "Encode a text as base64.|Base64 encoder",
    (string("text input", "word", "The text.|What to encode"),),
    """
    ~encode {word} as base64
    ~base64 encode "{word}"
    What is {word} in base64?
    base64 of "{word}"
    I need "{word}" in base64.
    Turn {word} into base64.
    "{word}" to base64 please
    The base64 form of {word}?
    """,
)
_add(
    "rhyme",
    "language",
    "find_rhymes rhymes_with rhyme",
    "Words that rhyme with a word.|Rhyming words",
    (string("word", "word", "The word.|What to rhyme with"),),
    """
    What rhymes with {word}?
    rhymes for {word}
    ~find words that rhyme with {word}
    I need a rhyme for {word}.
    ~give me a rhyme on {word}
    My poem ends with {word}. Rhymes?
    Does anything rhyme with {word}?
    {word}, rhyming words please
    """,
    '{"rhymes": ["{a:pseudo}", "{b:pseudo}"]}',
)
_add(
    "pronounce",
    "language",
    "pronounce_word say_word pronunciation",
    "Say a word aloud.|Pronunciation of a word",
    (
        string("word text", "word", "The word.|What to say"),
        string("language", "language", "The language.|In which language", False),
    ),
    """
    How do you pronounce {word}?
    ~say {word} aloud in {language}
    pronunciation of {word}
    ~pronounce {word} for me
    How does {word} sound in {language}?
    Let me hear the word {word}.
    How do I say the word {word} properly?
    speak the word {word} in {language}
    """,
)
_add(
    "moon_phase",
    "info",
    "moon_phase get_moon_phase",
    "Phase of the moon.|Whether the moon is full",
    (),
    """
    What phase is the moon in?
    Is it full moon tonight?
    moon phase
    ~check the moon phase
    When I look up tonight, is the moon full?
    ~tell me the phase of the moon
    Is the moon growing or shrinking?
    How full is the moon?
    """,
    '{"phase": "{p:new|full|half|crescent}"} => The moon is {p}.',
)
_add(
    "holidays",
    "info",
    "public_holidays list_holidays holidays_in",
    "Public holidays of a country.|Bank holidays",
    (
        string("country", "country", "The country.|Where"),
        integer("year", "year", "The year.|Which year", False),
    ),
    """
    Which public holidays are there in {country}?
    holidays {country} {year}
    ~list the public holidays of {country} in {year}
    When do people in {country} have a day off?
    ~look up bank holidays in {country}
    Is there a holiday in {country} soon?
    public holidays in {country} for {year}
    Days off in {country}?
    """,
)
_add(
    "pollen",
    "weather",
    "pollen_count get_pollen pollen_forecast",
    "Pollen in the air of a city.|Hay fever forecast",
    (string("city place", "city", "The city.|Where"),),
    """
    How much pollen is in the air in {city}?
    pollen count {city}
    ~check the pollen in {city}
    I have hay fever. How is {city} today?
    Is the pollen bad in {city}?
    ~tell me the pollen level of {city}
    pollen {city}?
    Should I take my hay fever pills in {city}?
    """,
    '{"level": "{l:low|medium|high}"} => The pollen level in {city} is {l}.',
)
_add(
    "earthquakes",
    "info",
    "recent_earthquakes earthquake_list",
    "Recent earthquakes in a country.|Seismic activity",
    (string("country region", "country", "The country.|Region"),),
    """
    Were there earthquakes in {country}?
    earthquakes {country}
    ~list recent earthquakes in {country}
    Did the ground shake in {country}?
    ~check for earthquakes in {country}
    Any quakes in {country} this week?
    How strong was the last earthquake in {country}?
    Seismic activity in {country}?
    """,
    '{"count": {n:0..9}}',
)
_add(
    "visit_log",
    "users",
    "login_history last_logins user_sessions",
    "Latest logins of a user.|Login history",
    (string("user username", "name", "The user.|Whose logins"),),
    """
    When did {name} last log in?
    login history {name}
    ~show the logins of {name}
    Has {name} been online lately?
    ~check when {name} signed in
    last logins of user {name}
    From where did {name} log in?
    List {name}'s sessions.
    """,
)
_add(
    "change_role",
    "users",
    "change_role set_user_role grant_role",
    "Change the role of a user.|Sets permissions",
    (
        string("user username", "name", "The user.|Whose role"),
        choice("role permission", "role", "The role.|New role", "admin|editor|viewer|guest"),
    ),
    """
    ~make {name} an {role}
    ~change the role of {name} to {role}
    {name} should be {role} from now on.
    role {name} {role}
    Give {name} the {role} role.
    From today {name} is {role}.
    Set {name}'s permissions to {role}
    I want {name} to have {role} rights.
    """,
)
_add(
    "dnd",
    "clock",
    "do_not_disturb set_dnd quiet_mode",
    "Turn do not disturb on or off.|Quiet mode of the phone",
    (flag("enabled on", "state", "Whether it is on.|On or off", "on|off"),),
    """
    ~turn {state} do not disturb
    ~switch do not disturb {state}
    do not disturb {state}
    Quiet mode {state} please
    I want my phone's quiet mode {state}.
    Put do not disturb {state}.
    dnd {state}
    Set quiet mode to {state}
    """,
)
_add(
    "stopwatch",
    "clock",
    "start_stopwatch stopwatch",
    "Start the stopwatch.|Measures time",
    (),
    """
    ~start the stopwatch
    Time me!
    stopwatch go
    ~begin timing
    I'm running a lap, start the stopwatch.
    Stopwatch please
    Measure my time from now.
    Let the stopwatch run.
    """,
)
_add(
    "tire_pressure",
    "car",
    "tire_pressure check_tires",
    "Pressure of the car's tires.|Tire check",
    (),
    """
    How is my tire pressure?
    ~check the tires
    tire pressure
    Do my tires need air?
    ~check the pressure in my tires
    Are the tires of the car okay?
    ~tell me the tire pressure
    Is one of my tires flat?
    """,
    '{"bar": {b:1.5..3.5}} => The pressure is {b} bar.',
)
_add(
    "fuel_level",
    "car",
    "fuel_level get_range car_range",
    "Fuel and range of the car.|How far the car can go",
    (),
    """
    How much fuel do I have left?
    ~check the fuel level
    How far can I still drive?
    fuel level
    Do I need gas?
    ~tell me the range of my car
    Is the tank of my car empty?
    Will I make it home without gas?
    """,
    '{"range_km": {n:5..800}} => The range is {n} km.',
)
_add(
    "car_service",
    "car",
    "book_car_service schedule_maintenance",
    "Book a service for the car.|Garage appointment",
    (string("day date", "day", "The day.|When"),),
    """
    ~book a car service for {day}
    My car needs a check-up {day}.
    ~take my car to the workshop {day}
    car service {day}
    Oil change {day}, please.
    Get me a slot at the car workshop {day}.
    ~schedule maintenance of the car for {day}
    The car has to be serviced, {day} is good.
    """,
)


# Invented tools -------------------------------------------------------------------------------------------
# In the patterns below [n] is a noun, [ns] its plural, [v] a verb, [ving] and [ved] its forms, [s] what
# people say for the verb; [t] is the value of the target and [c] what the target is.

NOUNS: tuple[str, ...] = lines_of("""
    account activity address agenda alarm album alert allowance antenna appointment archive attendance
    audit backlog balance battery bill bin birthday blog bonus booking boiler bookmark bracket brake bucket
    budget bug bulletin buffer calendar campaign candidate card carpet cartridge catalog ceiling certificate
    channel chart chat checklist chimney class clip cluster coach collar collection comment commission
    complaint compressor contest contract conveyor cooler counter course coverage credit crew crop cursor
    customer dashboard database dataset debt deadline decoration delivery deposit diary diet digest discount
    display dock document donation dose draft drawer drill driver earnings echo editor engine entry envelope
    episode error escalator estimate exam exhibit experiment export extension fabric faucet feed feedback
    fence festival field filter fleet flyer folder font forecast form formula fountain frame freezer fuel
    furnace gallery gate gauge generator glossary goal grant greenhouse grid guarantee guest guide gutter
    habit handbook harvest headline heater helmet highlight history holiday homework hook hose hydrant
    image import inbox income index ingredient insurance interview inventory invitation issue itinerary
    jacket journal journey keyboard kiosk label laboratory ladder landing laundry lawn layout leaderboard
    lease lecture ledger lens lesson license limit link loan locker log logo lottery luggage machine
    magazine manual manuscript map margin market meal measurement medal membership memo menu merchandise
    message meter microphone milestone mission mixer mood motor mural mute network newsletter nickname
    notice notification nursery nutrient offer opening option orbit orchard order outage outfit oven
    overdraft package paint palette panel parcel partner passport patch patient pattern paycheck payment
    pension performance permit petition photo pipeline plan planet plant playlist plug podcast poem policy
    pool port portfolio post poster premium prescription preview printer prize procedure profile progress
    project promotion property proposal protocol prototype pump puzzle quarter query question quota quote
    race radar radiator rank ranking rating receipt recipe record recording referral refund register
    rehearsal release rent repair replica report request reservation resource response resume return
    review ribbon ride ring robot roof roster route routine salary sale sample satellite savings scanner
    scene schedule scholarship score screen script season seat secret segment seminar sensor sequence
    server session setting shelf shift shipment shop shortcut signal signature silo sketch slide slot
    snapshot socket song souvenir spreadsheet stage stamp statement station statistic stock storage story
    stream streak studio subscription subtitle summary supplier supply survey suspect switch symbol symptom
    table tank target task tax team telescope template tenant tender terminal theme thread threshold ticket
    tile token tool topic tour tournament track trail trailer training transcript transfer treatment trend
    trip trophy tunnel tutorial umbrella update upgrade upload usage vacancy vaccine valve vault vehicle
    vendor venue verdict version video visa visit visitor voucher wage wallet wardrobe warehouse warning
    warranty watchlist waypoint website wheel widget window winner wire wish workshop yard yield zone
""")
MIDDLE: tuple[str, ...] = lines_of("""
    daily weekly monthly yearly current latest next last open pending active unread new old total main
    personal shared public private local remote recent saved favorite late early online first final
    internal external free busy missing hidden spare annual nightly regional global
""")
SHOW: dict[str, tuple[str, ...]] = {
    "get": ("get", "give me", "fetch", "show me", "pull up", "bring up", "tell me"),
    "show": ("show", "show me", "display", "let me see", "bring up", "open", "put up"),
    "list": ("list", "list all", "give me all", "show me all", "go through", "name all", "enumerate"),
    "check": ("check", "look at", "have a look at", "take a look at", "check on", "look into", "verify"),
    "fetch": ("fetch", "get", "grab", "pull", "bring me", "collect"),
    "read": ("read", "read me", "read out", "read aloud", "go over"),
    "view": ("view", "see", "look at", "show", "open", "let me view"),
    "find": ("find", "look for", "find me", "dig up", "locate", "track down", "hunt for"),
    "lookup": ("look up", "check", "find", "search for", "look for"),
    "query": ("query", "ask for", "check", "look up", "find out"),
    "load": ("load", "open", "pull up", "get", "bring in"),
    "display": ("display", "show", "show me", "present", "put on the screen"),
    "retrieve": ("retrieve", "get", "get me", "fetch", "dig out"),
    "see": ("see", "show me", "look at", "let me see"),
    "report": ("report", "tell me", "give me", "report on"),
    "inspect": ("inspect", "look over", "examine", "check", "study"),
    "monitor": ("monitor", "keep an eye on", "watch", "look after"),
    "count": ("count", "count up", "total up", "add up", "tally"),
}
ACT: dict[str, tuple[str, ...]] = {
    "create": ("create", "make", "set up", "add", "generate", "start", "put together"),
    "add": ("add", "put in", "include", "insert", "enter", "create"),
    "delete": ("delete", "remove", "erase", "get rid of", "throw away", "scrap", "trash"),
    "remove": ("remove", "delete", "take away", "take out", "drop", "clear", "get rid of"),
    "update": ("update", "change", "refresh", "edit", "bring up to date", "modify"),
    "set": ("set", "change", "adjust", "put", "fix"),
    "start": ("start", "begin", "launch", "kick off", "fire up", "switch on", "get going with"),
    "stop": ("stop", "halt", "end", "shut down", "switch off", "kill", "quit"),
    "run": ("run", "start", "execute", "launch", "do", "carry out"),
    "reset": ("reset", "restore", "clear", "start over with", "put back"),
    "open": ("open", "open up", "unlock", "launch"),
    "close": ("close", "shut", "close down", "finish", "wrap up"),
    "send": ("send", "ship", "forward", "mail", "pass on", "dispatch"),
    "cancel": ("cancel", "call off", "drop", "abort", "undo", "revoke"),
    "book": ("book", "reserve", "arrange", "get me", "order"),
    "reserve": ("reserve", "book", "hold", "save", "set aside"),
    "order": ("order", "buy", "get me", "purchase", "request"),
    "schedule": ("schedule", "plan", "arrange", "set up", "fix a date for"),
    "submit": ("submit", "hand in", "send in", "file", "turn in"),
    "approve": ("approve", "accept", "sign off on", "confirm", "okay"),
    "reject": ("reject", "refuse", "turn down", "decline", "say no to"),
    "pause": ("pause", "hold", "suspend", "stop for now", "interrupt"),
    "resume": ("resume", "continue", "go on with", "pick up again", "restart"),
    "enable": ("enable", "turn on", "switch on", "activate", "allow"),
    "disable": ("disable", "turn off", "switch off", "deactivate", "block"),
    "block": ("block", "lock out", "shut out", "stop", "bar", "keep out"),
    "allow": ("allow", "permit", "let in", "let through", "unblock"),
    "lock": ("lock", "lock up", "secure", "bolt", "shut tight"),
    "clean": ("clean", "clean up", "tidy", "wash", "clear", "scrub"),
    "move": ("move", "shift", "transfer", "carry", "relocate"),
    "copy": ("copy", "duplicate", "clone", "make a copy of", "replicate"),
    "save": ("save", "store", "keep", "back up", "record"),
    "export": ("export", "download", "save", "write out", "extract"),
    "import": ("import", "load", "bring in", "read in", "upload"),
    "publish": ("publish", "post", "release", "put online", "make public"),
    "share": ("share", "pass around", "send around", "hand out", "spread"),
    "rename": ("rename", "give a new name to", "change the name of", "call differently"),
    "renew": ("renew", "extend", "prolong", "refresh", "keep going with"),
    "verify": ("verify", "check", "confirm", "make sure of", "validate"),
    "test": ("test", "try", "try out", "check", "probe"),
    "repair": ("repair", "fix", "mend", "patch up", "restore"),
    "print": ("print", "print out", "put on paper", "make a printout of"),
    "scan": ("scan", "read in", "check", "search through", "sweep"),
    "sort": ("sort", "order", "arrange", "put in order", "organize"),
    "merge": ("merge", "join", "combine", "put together", "unite"),
    "split": ("split", "divide", "cut up", "break up", "separate"),
    "assign": ("assign", "give", "hand over", "delegate", "allot"),
    "rate": ("rate", "score", "grade", "judge", "review"),
    "report": ("report", "flag", "complain about", "file a report about"),
    "record": ("record", "log", "note", "write down", "track", "enter"),
    "calculate": ("calculate", "work out", "compute", "figure out", "estimate"),
    "convert": ("convert", "change", "turn over", "transform", "translate"),
    "measure": ("measure", "gauge", "take the measure of", "size up"),
    "activate": ("activate", "turn on", "switch on", "enable", "wake up"),
    "upgrade": ("upgrade", "improve", "bring up to date", "boost"),
    "pay": ("pay", "settle", "pay for", "take care of", "clear"),
    "claim": ("claim", "redeem", "collect", "cash in", "use"),
    "extend": ("extend", "prolong", "lengthen", "make longer", "stretch"),
    "replace": ("replace", "swap", "exchange", "change", "swap out"),
    "attach": ("attach", "fix", "add", "connect", "hook up"),
    "notify": ("notify", "alert", "inform", "tell", "let know"),
    "water": ("water", "give water to", "sprinkle"),
    "feed": ("feed", "give food to", "give a meal to"),
    "sync": ("sync", "synchronize", "bring in line", "match up"),
    "sign": ("sign", "put my name on", "put a signature on"),
    "launch": ("launch", "start", "fire up", "open", "begin"),
    "adjust": ("adjust", "change", "tune", "tweak", "correct"),
    "register": ("register", "sign up", "enroll", "enter", "add"),
}
SHOW_TAILS = ("status", "info", "details", "overview", "lookup", "list", "report", "summary", "state", "data")
SHOW_ABOUT: tuple[str, ...] = lines("""
    Get the [n].
    Gets the [n].
    Returns the [n].
    Return the current [n].
    Show the [n].
    Shows your [ns].
    Shows the user's [n].
    List all [ns].
    Lists the [ns].
    Lists [ns] of the user.
    Look up the [n].
    Looks up [ns].
    Check the [n].
    Checks the state of the [n].
    Read the [n].
    Reads the [n] and returns it.
    Fetch the [n].
    Fetches [ns] from the server.
    The [n].
    Your [ns].
    All [ns] of an account.
    Information about the [n].
    Information on [ns].
    Details of the [n].
    Details about [ns]
    Find out about the [n].
    Tells what the [n] is.
    Tells how the [n] is doing.
    What the [n] is at the moment.
    Current state of the [n].
    Status of [ns].
    Overview of [ns].
    A summary of the [ns].
    Retrieve the [n] of the current user.
    Retrieves the user's [ns].
    Query the [n].
    Access to the [n].
    Gives the [n].
    Use this to see the [n].
    Use this tool to look at [ns].
    Call this when the user asks about the [n].
    For questions about [ns].
    Whenever somebody wants to know the [n].
    Display [ns]
    Report the [n]
    [n] lookup
    [n] information
    [ns]
""")
SHOW_ASK: tuple[str, ...] = lines("""
    ~[s] my [n]
    ~[s] my [n]
    ~[s] my [ns]
    ~[s] the [n]
    ~[s] the [n]
    ~[s] the [ns]
    ~[s] our [n]
    ~[s] my [n] now
    ~[s] the [n] again
    ~[s] the [n] quickly
    ~[s] [ns]
    ~check my [n]
    ~show my [n]
    ~show me the [n]
    ~check the [ns]
    ~show the [ns]
    ~get the [n]
    ~list my [ns]
    ~see what the [n] says
    ~find out what my [n] is
    ~tell me about my [n]
    ~tell me the [n]
    ~check if there is anything new in my [n]
    ~look at my [ns]
    ~look up the [n]
    What's my [n]?
    What is the [n]?
    what's the [n]
    What are my [ns]?
    What are the [ns] right now?
    what is my [n] at the moment
    How is my [n]?
    How's the [n] looking?
    How does the [n] look?
    How is the [n] doing today?
    Where are my [ns]?
    Any [ns]?
    Any [ns] for me?
    Are there any [ns]?
    Do I have any [ns]?
    Do I have [ns]?
    do we have [ns]
    How many [ns] are there?
    How many [ns] do I have?
    Is there a [n]?
    Which [ns] are there?
    Which [ns] do I have?
    What does my [n] look like?
    What about the [n]?
    [n]?
    [n] please
    my [n]
    my [ns] please
    the [n], please
    [ns]?
    current [n]
    I want to see my [n].
    I'd like to see the [ns].
    I need the [n].
    i need my [n] now
    I'd like to know my [n].
    I would like to know the [n].
    Can I see the [n]?
    Could I see my [ns]?
    May I see the [n]?
    Let me see my [n].
    Let me have a look at the [ns].
    let me know the [n]
    Have a look at my [n].
    Tell me what the [n] is.
    Anything in my [n]?
    Anything new with the [n]?
    Is my [n] ok?
    Is everything fine with the [n]?
    What's going on with my [n]?
    What's up with the [n]?
    Just the [n].
    Time to look at the [n].
    I wonder what my [n] is.
    Remind me of my [n].
    I forgot my [n]. What is it?
    My [n], what is it?
    Curious about my [n].
    give me an overview of my [ns]
    Do you know my [n]?
    Have I got any [ns]?
    Did I get any [ns]?
    Could you tell me my [n]?
    So how is the [n]?
""")
ACT_ABOUT: tuple[str, ...] = lines("""
    [v] the [n].
    [v] a [n].
    [v] [ns].
    [v]s the [n].
    [v]s a [n].
    [v]s [ns] for the user.
    Use this to [v] the [n].
    Use this tool to [v] a [n].
    Use it when a [n] has to be [ved].
    Call this to [v] [ns].
    Can [v] the [n].
    Can [v] [ns]
    Helps to [v] the [n].
    Lets you [v] a [n].
    Lets the user [v] [ns].
    Allows [ving] a [n].
    Allows you to [v] [ns].
    For [ving] [ns].
    For [ving] the [n].
    Tool for [ving] the [n].
    A tool that [v]s the [n].
    A function for [ving] [ns].
    [ving] a [n].
    [ving] of [ns].
    [v] one [n]
    [v] the given [n].
    [v] the [n] of the user.
    [v] the user's [n]
    [v] your [n].
    [v] the current [n].
    [v] the [n] right away.
    [v] the [n] and return the result.
    Makes sure that the [n] is [ved].
    The [n] gets [ved].
    When the user wants to [v] the [n].
    If the user wants a [n] [ved], use this.
    [n]: [v]
    [n] [ving]
    Starts [ving] the [n].
    Sends the command to [v] the [n].
    Request to [v] a [n].
    This will [v] the [n].
    To [v] a [n].
    The way to [v] [ns].
""")
ACT_ASK: tuple[str, ...] = lines("""
    ~[s] the [n]
    ~[s] the [n]
    ~[s] my [n]
    ~[s] my [n]
    ~[s] a [n]
    ~[s] this [n]
    ~[s] our [n]
    ~[s] the [ns]
    ~[s] my [ns]
    ~[s] [ns]
    ~[s] the [n] now
    ~[s] that [n]
    ~[s] the [n] again
    ~[s] the [n] once more
    ~[v] the [n]
    ~[v] the [n]
    ~[v] my [n]
    ~[v] a [n]
    ~[v] it
    ~[v] the [ns]
    ~[v] [n]
    ~go and [v] the [n]
    ~go ahead and [v] the [n]
    ~help me [v] the [n]
    ~make sure to [v] the [n]
    ~have the [n] [ved]
    ~get the [n] [ved]
    ~get my [n] [ved]
    ~start [ving] the [n]
    I want to [v] the [n].
    I want to [v] my [n]
    I'd like to [v] a [n].
    I would like to [v] the [n].
    I need to [v] my [n].
    i need to [v] the [n] now
    I need the [n] [ved].
    I want my [n] [ved].
    I'd like the [n] [ved].
    We need to [v] the [n].
    We have to [v] our [n].
    Let's [v] the [n].
    lets [v] a [n]
    The [n] needs [ving].
    my [n] needs [ving]
    The [n] should be [ved].
    The [n] has to be [ved].
    The [n] must be [ved] today.
    Can the [n] be [ved]?
    Could my [n] be [ved]?
    Time to [v] the [n].
    It's time to [v] my [n].
    It is time for [ving] the [n].
    Would you mind [ving] the [n]?
    How about [ving] the [n]?
    What about [ving] my [n]?
    You should [v] the [n].
    You may [v] the [n] now.
    Someone has to [v] the [n].
    Don't forget to [v] the [n].
    My [n]: [v] it.
    The [n], [v] it please.
    [n]: [v]
    [v] [n] please
    [n] [ving] please
    [v]!
    Is it possible to [v] the [n]?
    I am thinking of [ving] the [n]. Do it.
    I have a [n] to [v].
    There is a [n] to [v].
    Nobody has [ved] the [n] yet. Do it.
    I forgot to [v] the [n].
    My boss wants the [n] [ved].
    The plan is to [v] the [n].
    Do me a favor and [v] the [n].
    Quick, [v] the [n]!
    Go on, [v] the [n].
    Yes, [v] the [n].
    First thing today: [v] the [n].
    Next: [v] the [n]
""")
TARGET_ABOUT: tuple[str, ...] = lines("""
    [v] a [c].
    [v] the given [c].
    [v] one [c].
    [v] a certain [c].
    [v]s a [c].
    [v]s the [c] you name.
    Use this to [v] a [c].
    Use this tool to [v] any [c].
    Can [v] a [c].
    Lets you [v] a [c].
    Allows [ving] a [c].
    For [ving] a [c].
    A tool for [ving] [c]s.
    [ving] a [c]
    When a [c] has to be [ved].
    Call this to [v] a [c].
    [v] any [c]
    [v] a [c] by its name.
    Makes sure that a [c] is [ved].
    This will [v] the [c].
""")
TARGET_ASK: tuple[str, ...] = lines("""
    ~[s] [t]
    ~[s] [t]
    ~[s] [t]
    ~[s] [t] now
    ~[s] the [c] [t]
    ~[s] [c] [t]
    ~[s] the [c] called [t]
    ~[s] the [c] "[t]"
    ~[s] a [c], namely [t]
    ~[s] this [c]: [t]
    ~[v] [t]
    ~[v] [t]
    ~[v] "[t]"
    ~[v] the [c] [t]
    ~go and [v] [t]
    ~get [t] [ved]
    ~have [t] [ved]
    ~help me [v] [t]
    I want to [v] [t].
    I need to [v] [t].
    i'd like to [v] [t]
    I'd like [t] [ved].
    I need [t] [ved].
    We have to [v] [t].
    Let's [v] [t].
    [t] needs [ving].
    [t] should be [ved].
    [t] has to be [ved].
    Can [t] be [ved]?
    Time to [v] [t].
    Would you mind [ving] [t]?
    How about [ving] [t]?
    Someone has to [v] [t].
    [t]: [v]
    [v]: [t]
    [v] [t] please
    [c] [t], [v] it please
    There is a [c] to [v]: [t]
    The [c] is [t]. [v] it.
    My [c] is [t]. Please [v] it.
    Here is the [c]: [t]. You know what to do.
    Nobody has [ved] [t] yet. Do it.
    I forgot to [v] [t].
    Do me a favor and [v] [t].
    Quick, [v] [t]!
    Yes, [v] [t].
    Next: [v] [t]
    What about [ving] [t]?
""")
TARGETS: tuple[tuple[str, str, str], ...] = (  # what it is, the type of its values, names of the parameter
    ("ip address", "ip", "ip ip_address address source host"),
    ("address", "address", "address street_address location"),
    ("city", "city", "city location place town"),
    ("country", "country", "country nation country_name"),
    ("file", "file", "file path filename file_name document"),
    ("folder", "folder", "folder path directory dir"),
    ("person", "name", "name person full_name who user"),
    ("customer", "name", "customer client customer_name"),
    ("employee", "name", "employee worker staff_name"),
    ("player", "name", "player player_name"),
    ("guest", "name", "guest guest_name visitor_name"),
    ("company", "company", "company firm company_name vendor"),
    ("website", "url", "url site website link"),
    ("email address", "email", "email email_address mail"),
    ("phone number", "phone", "phone phone_number number tel"),
    ("order", "code", "order_id order order_number id"),
    ("ticket", "code", "ticket ticket_id id number"),
    ("code", "code", "code key token"),
    ("book", "title", "title book book_title"),
    ("film", "title", "title film movie"),
    ("team", "team", "team club team_name"),
    ("server", "host", "server host hostname node machine"),
    ("service", "service", "service app service_name"),
    ("branch", "branch", "branch ref branch_name"),
    ("model", "model", "model model_name checkpoint"),
    ("room", "room", "room space area"),
    ("device", "device", "device appliance gadget"),
    ("animal", "animal", "animal species"),
    ("item", "item", "item product thing object"),
    ("food", "food", "food dish meal"),
    ("color", "color", "color colour shade"),
    ("topic", "topic", "topic subject theme"),
    ("word", "word", "word term text"),
    ("day", "weekday", "day weekday"),
    ("date", "date", "date day on_date"),
    ("car", "plate", "plate license_plate car"),
    ("job", "job", "job job_title profession"),
    ("language", "language", "language lang"),
    ("version", "version", "version release tag"),
    ("restaurant", "restaurant", "restaurant place venue"),
    ("band", "artist", "artist band musician"),
    ("flight", "flight", "flight flight_number"),
    ("thing", "pseudo", "thing what target object"),
    ("note", "note", "note text content"),
)
# Further parameters: names, kind, type of the values, descriptions, and how requests give the value ("@"; "%"
# is the name of the parameter). General ways that fit every parameter are added.
MORE: tuple[tuple[str, str, str, str, str], ...] = (
    ("city location place", "string", "city", "The city.|Where", "in @|for @|near @|around @"),
    ("country region", "string", "country", "The country.|Which country", "in @|for @|from @"),
    ("name person who", "string", "name", "Name of the person.|Who it is for", "for @|on behalf of @|of @"),
    ("user username", "string", "name", "The user.|User it belongs to", "for @|as user @|for user @"),
    ("recipient to", "string", "name", "Who gets it.|The recipient", "to @|and send it to @|for @"),
    ("email contact", "string", "email", "Email address.|Where to write", "for @|and mail it to @|to @"),
    ("date on_date", "string", "date", "The date.|For which date", "on @|for @|dated @"),
    ("day weekday", "string", "weekday", "Day of the week.|Which day", "on @|for @|this @|every @"),
    ("time at start_time", "string", "time", "The time.|At what time", "at @|from @ on|starting at @"),
    ("month", "string", "month", "The month.|Which month", "for @|in @|of @"),
    ("year", "integer", "year", "The year.|Which year", "for @|in @|of @|for the year @"),
    ("color colour", "string", "color", "The color.|Which color", "in @|colored @|painted @"),
    ("room area", "string", "room", "The room.|Where in the house", "in the @|for the @"),
    ("device", "string", "device", "The device.|Which device", "on the @|with the @|from the @"),
    ("file path", "string", "file", "The file.|Path of the file", "in @|from @|to @|using @"),
    ("folder directory", "string", "folder", "The folder.|Target folder", "in @|under @|from folder @"),
    ("server host", "string", "host", "The server.|Name of the host", "on @|at @|for server @"),
    ("service app", "string", "service", "The service.|Name of the app", "for @|in @|of @"),
    ("language lang", "string", "language", "The language.|Language to use", "in @|using @"),
    ("company client", "string", "company", "The company.|Name of the client", "for @|at @|of @|from @"),
    ("title", "string", "title", "The title.|Title to give it", "called @|titled @|named @|with the title @"),
    ("code id number", "string", "code", "The code.|Identifier", "with code @|number @|under @|no. @"),
    ("item product", "string", "item", "The item.|Name of the product", "for the @|with the @|for a @"),
    ("note comment", "string", "note", "A note.|Comment to add", "with the note @|noting that @|saying @"),
    ("message text", "string", "text", "The message.|Text to use", "saying @|with the message @|that says @"),
    ("reason", "string", "reason", "The reason.|Why", "because @|reason: @|with @ as the reason"),
    ("topic subject", "string", "topic", "The topic.|What it is about", "about @|on @|regarding @"),
    ("team group", "string", "team", "The team.|Which team", "for @|of @|for team @"),
    ("count number quantity", "integer", "1..60", "How many.|Number of items", "@ times|count @|@ of them"),
    ("limit max_results", "integer", "1..100", "How many at most.|Upper limit", "at most @|up to @|max @"),
    ("minutes duration", "integer", "1..120", "Minutes.|Duration in minutes", "for @ minutes|@ min"),
    ("hours", "integer", "1..48", "Number of hours.|Hours", "for @ hours|over @ hours|@ hours long"),
    ("days", "integer", "1..60", "Number of days.|Days", "for @ days|over @ days|for the next @ days"),
    ("people guests", "integer", "1..20", "Number of people.|People", "for @ people|with @ people"),
    ("level", "integer", "1..10", "The level.|Level from 1 to 10", "at level @|on level @|to level @"),
    ("percent percentage", "integer", "1..100", "Percent.|Share in percent", "at @ percent|to @%|by @%"),
    ("size", "integer", "1..500", "The size.|Size", "of size @|in size @|size @"),
    ("age", "integer", "1..99", "The age.|Age in years", "aged @|of age @|for age @"),
    ("page", "integer", "1..300", "Page number.|The page", "on page @|page @|from page @"),
    ("price amount cost", "number", "price", "The amount.|Price", "for @|worth @|costing @|for @ dollars"),
    ("weight", "number", "0.5..90.5", "The weight.|Weight in kilos", "weighing @|of @ kilos|at @ kg"),
    ("distance", "number", "0.5..60.5", "The distance.|Distance in km", "within @ km|of @ km|over @ km"),
    ("temperature", "integer", "-15..45", "The temperature.|Degrees", "at @ degrees|to @ degrees"),
    ("speed", "integer", "1..200", "The speed.|How fast", "at speed @|with a speed of @"),
    ("score points", "integer", "1..100", "The score.|Points", "with a score of @|with @ points"),
    ("priority", "string", "=low|normal|high", "The priority.|How important", "with @ priority|(@ priority)"),
    ("mode", "string", "=fast|slow|quiet|auto", "The mode.|How to do it", "in @ mode|on @"),
    ("size", "string", "=small|medium|large", "The size.|Which size", "in @|size @|the @ one"),
    ("period range", "string", "=day|week|month|year", "The period.|Which period", "of this @|for the @"),
    ("order sort", "string", "=newest|oldest|cheapest", "Sort order.|Which first", "@ first|sorted by @"),
    ("format", "string", "=csv|json|pdf|text", "The format.|Format", "as @|in @ format|in @"),
    ("side", "string", "=left|right|front|back", "The side.|Which side", "on the @|on the @ side"),
    ("details verbose", "boolean", "=with details|without details", "Show details.|More output", "@"),
    ("notify", "boolean", "=and tell everyone|and tell nobody", "Tell people about it.|Notify", "@"),
    ("force", "boolean", "=by force|without force", "Use force.|Force it", "@"),
    ("quiet silent", "boolean", "=quietly|loudly", "Make no noise.|Quiet", "@"),
    ("archived", "boolean", "=including the archived|excluding the archived", "With old ones.", "@"),
    ("urgent", "boolean", "=as urgent|as not urgent", "Whether it is urgent.|Urgent", "@"),
)
WAYS = (
    "with % @", "with the % @", "with % set to @", "(% @)", "(%: @)", "using @ as the %", "with @ as the %",
    "where the % is @", "with @ for the %", "- % @", "% @", "%: @", "with a % of @", "% = @", "and % @",
    "whose % is @", "choosing @ as %", "having % @", "- %: @", "and use @ as the %", "taking @ as the %",
    "with % being @", "- @ -", "(@)", "and let the % be @",
)  # fmt: skip
SENTENCES = (
    "The % is @.", "% is @", "%: @", "Use @ as the %.", "Take @ as the %.", "For the %, use @.", "% = @",
    "Make the % @.", "As for the %: @.", "And the %? @.", "It's % @.", "I mean % @.", "Set the % to @.",
)  # fmt: skip
