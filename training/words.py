"""Word lists that the tasks fill their templates with, and words made up on the spot.

Every list is split by the word itself (see `conversation.Words`): a word is a training word everywhere or
nowhere. Made-up words follow the same rule, so a name or an item never seen in training can be told apart.
"""

from __future__ import annotations

import codecs
import re
from random import Random

from training.content.seen_words import SEEN
from training.conversation import Split, Words, is_held_out


def _words(text: str) -> list[str]:
    return text.split()


def _phrases(text: str) -> list[str]:
    """Entries of a list written with commas, which may hold spaces."""
    return " ".join(text.split()).split(", ")


FIRST_NAMES = Words(
    _words(
        """
    Aaron Abby Abdul Abena Adam Adele Adrian Agnes Ahmed Aiko Aileen Aisha Akash Akira Alan Albert
    Alejandro Alessia Alex Alexei Alfred Ali Alice Alina Alma Alvaro Amal Amanda Amara Amelia Amir Amit
    Amy Ana Anders Andre Andrea Andrew Angela Anika Anil Anita Anja Ann Anna Annika Anton Antonio Anya
    Aoife Arash Ariel Arjun Arthur Arturo Asha Astrid Aurora Ava Ayesha Aylin Barbara Beatriz Ben Bianca
    Bilal Bjorn Blanca Boris Brandon Brenda Brian Bridget Bruno Camila Carl Carlos Carmen Caroline Carter
    Cecilia Cesar Chandra Charles Charlotte Chen Chidi Chiara Chloe Chris Christina Ciara Claire Clara
    Claudia Colin Connor Cora Daisuke Damian Dan Daniel Danielle Dara David Deborah Deepak Delia Dennis
    Derek Diana Diego Dimitri Dina Dmitry Dominic Dora Dylan Edgar Edith Eduardo Edwin Eero Eileen Elena
    Eli Elias Elif Elise Elizabeth Ella Ellen Elliot Elsa Emeka Emil Emily Emma Enrique Eric Erika Esra
    Esther Ethan Eva Evelyn Fabian Fatima Felipe Felix Femi Fernando Fiona Florence Frances Francisco
    Frank Freya Gabriel Gemma George Georgia Gerald Gina Giovanni Gloria Grace Greta Gustav Guy Hana
    Hannah Hans Harold Harriet Harry Hassan Hector Heidi Helen Henrik Henry Hiroshi Hugo Hussein Ian
    Ibrahim Ida Igor Ikram Imran Ines Ingrid Irene Iris Isaac Isabel Isla Ivan Ivy Jack Jacob Jaime Jakub
    James Jan Jane Janet Jasmine Jason Javier Jelena Jenny Jerome Jessica Jin Joan Joanna Joel Johan John
    Jonas Jorge Joseph Josie Juan Julia Julian Jun Kaito Karim Karin Kate Kavya Keiko Keith Kelly Ken
    Kerstin Kevin Khadija Kiran Klaus Kofi Kumar Kwame Laila Lars Laura Layla Lea Leila Lena Leo Leon
    Leticia Li Liam Lily Linda Ling Lisa Lorenzo Louis Lucas Lucia Lucy Luis Luna Magnus Mahmoud Malik
    Manuel Marco Margaret Maria Mariam Marie Mario Mark Marta Martin Mary Mateo Matilda Matthew Max Maya
    Mei Melissa Mia Michael Miguel Mila Milan Min Miriam Mohamed Mona Monica Moses Nadia Naomi Nasser
    Natalie Natasha Nathan Neha Neil Nia Nicholas Nico Niels Nina Noah Noor Nora Odette Olga Oliver Olivia
    Omar Oscar Osman Otto Owen Pablo Paolo Patricia Paul Paula Pavel Pedro Penny Peter Petra Philip Pierre
    Pilar Piotr Pooja Priya Quentin Rachel Rafael Rahul Raj Ramon Rania Rashid Raymond Rebecca Renata
    Ricardo Richard Rita Robert Rohan Rosa Rose Ruben Ruth Ryan Sabine Sadia Sakura Salma Sam Samir Samuel
    Sandra Sanjay Sara Sasha Sean Sebastian Selma Sergei Shirin Silvia Simon Sofia Solomon Sonia Stefan
    Stella Steven Sunita Susan Sven Takeshi Tamara Tanya Tariq Tatiana Teresa Theo Thomas Tina Tobias Tom
    Tomas Uma Umar Ursula Valentina Vera Victor Vijay Vikram Vincent Viola Wanda Wei William Xavier Ximena
    Yan Yara Yasmin Yuki Yusuf Yvonne Zain Zara Zeynep Zoe
    """
    ),
    SEEN,
)

LAST_NAMES = Words(
    _words(
        """
    Abbott Adams Adeyemi Aguilar Ahmed Akhtar Alonso Alvarez Andersen Anderson Ando Antonov Araujo Arnold
    Asante Ashworth Aziz Bailey Baker Banerjee Baptiste Barker Barnes Bauer Becker Bell Bennett Berg
    Bianchi Bishop Blake Boateng Bosch Bradley Braun Brooks Brown Bruno Bryant Burke Burns Butler Campbell
    Cardoso Carlson Carr Carvalho Castillo Castro Chan Chandler Chang Chavez Cheng Choi Clark Cohen Cole
    Collins Conti Cooper Costa Cox Cruz Cunningham Dahl Daniels Das Davies Davis Dawson Delgado Diallo
    Diaz Dixon Dogan Dubois Duncan Dunn Duran Eaton Edwards Ekwueme Eliasson Ellis Eriksen Esposito Evans
    Farah Farooq Ferguson Fernandez Ferrari Ferreira Fischer Fisher Fletcher Flores Fontaine Foster Fox
    Franco Fraser Fujita Garcia Gardner Garza Gibson Gill Girard Gomez Gonzalez Gordon Graham Grant Gray
    Green Greene Griffin Gruber Guerrero Gupta Haas Haddad Hall Hamilton Hansen Haq Harper Harris Harrison
    Hart Hashimoto Hayes Henderson Herrera Hill Hoffman Holm Holmes Hopkins Horvat Howard Huang Huber
    Hughes Hunt Hussain Hwang Ibrahim Inoue Ito Ivanov Jackson Jacobs Jain Jansen Jensen Johnson Jones
    Jordan Joshi Kaplan Kapoor Kato Kaur Kaya Keller Kelly Kennedy Khan Kim King Klein Knight Koch Kovac
    Kowalski Kuznetsov Lambert Lang Larsen Lawson Leclerc Lee Lehmann Lewis Lim Lin Lindgren Liu Lopez
    Lund Macdonald Mahmood Malone Marino Marsh Martinez Mason Matsuda Mbeki McCarthy Mehta Mendes Meyer
    Miller Mills Mitchell Molina Moore Morales Moreau Moreno Morgan Mori Morris Moyo Muller Murphy Murray
    Nair Nakamura Navarro Nelson Newman Nguyen Nielsen Novak Nowak Nunez Nwosu Obi Oliveira Olsen Ortega
    Osei Osman Owens Ozturk Palmer Papadakis Park Parker Patel Pearson Pereira Perez Petersen Petrov Pham
    Phillips Pierce Popescu Porter Powell Price Quinn Rahman Ramirez Ramos Rao Reddy Reed Reid Reyes
    Reynolds Ricci Richter Rivera Roberts Robinson Rodriguez Rojas Romano Rossi Roy Ruiz Russell Ryan
    Sahin Saito Salazar Salgado Santos Sato Schmidt Schneider Scott Sharma Shaw Silva Simpson Singh Smith
    Sokolov Solberg Soto Spencer Stevens Stewart Suarez Suzuki Svensson Takahashi Tan Tanaka Taylor
    Thompson Torres Toure Tran Turner Vargas Vasquez Vega Virtanen Vogel Wagner Walker Wallace Wang Ward
    Watanabe Watson Weber Webb Weiss Wells West White Wilson Winter Wolf Wong Wood Wright Yamada Yang
    Yilmaz Young Zhang Zhou Ziegler
    """
    ),
    SEEN,
)

CITIES = Words(
    _phrases(
        """
    Aarhus, Aberdeen, Abidjan, Abu Dhabi, Accra, Adelaide, Addis Ababa, Agra, Albany, Aleppo, Alexandria,
    Algiers, Alicante, Amman, Amsterdam, Ankara, Antwerp, Arequipa, Asuncion, Athens, Atlanta, Auckland,
    Austin, Baghdad, Baku, Baltimore, Bangalore, Bangkok, Barcelona, Basel, Bath, Beijing, Beirut,
    Belfast, Belgrade, Bergen, Berlin, Bern, Bilbao, Birmingham, Bogota, Bologna, Bonn, Bordeaux, Boston,
    Brasilia, Bratislava, Bremen, Brighton, Brisbane, Bristol, Brno, Bruges, Brussels, Bucharest,
    Budapest, Buenos Aires, Buffalo, Busan, Cairo, Calgary, Cali, Cambridge, Canberra, Cape Town, Caracas,
    Cardiff, Cartagena, Casablanca, Charlotte, Chennai, Chicago, Christchurch, Cincinnati, Cleveland,
    Cologne, Colombo, Copenhagen, Cordoba, Cork, Cusco, Dakar, Dallas, Damascus, Dar es Salaam, Darwin,
    Delhi, Denver, Detroit, Dhaka, Dijon, Doha, Dortmund, Dresden, Dubai, Dublin, Dubrovnik, Durban,
    Edinburgh, Edmonton, Essen, Faro, Florence, Frankfurt, Fresno, Fukuoka, Galway, Gdansk, Geneva, Genoa,
    Ghent, Glasgow, Gothenburg, Granada, Graz, Guadalajara, Guangzhou, Guayaquil, Halifax, Hamburg, Hanoi,
    Hanover, Harare, Havana, Helsinki, Hiroshima, Hobart, Hong Kong, Honolulu, Houston, Hyderabad,
    Innsbruck, Islamabad, Istanbul, Izmir, Jaipur, Jakarta, Jeddah, Jerusalem, Johannesburg, Kabul,
    Kampala, Kansas City, Karachi, Kathmandu, Kigali, Kingston, Kinshasa, Kobe, Kolkata, Krakow, Kuala
    Lumpur, Kuwait City, Kyiv, Kyoto, Lagos, Lahore, La Paz, Las Vegas, Lausanne, Leeds, Leipzig, Leon,
    Lille, Lima, Linz, Lisbon, Liverpool, Ljubljana, London, Los Angeles, Louisville, Luanda, Lusaka,
    Luxembourg, Lyon, Madrid, Malaga, Malmo, Manaus, Manchester, Manila, Maputo, Marrakesh, Marseille,
    Medellin, Melbourne, Memphis, Mexico City, Miami, Milan, Milwaukee, Minneapolis, Minsk, Mombasa,
    Monterrey, Montevideo, Montreal, Moscow, Mumbai, Munich, Muscat, Nagoya, Nairobi, Nantes, Naples,
    Nashville, New Orleans, New York, Newcastle, Nice, Nicosia, Nottingham, Nuremberg, Oakland, Odense,
    Odessa, Omaha, Oporto, Orlando, Osaka, Oslo, Ottawa, Oulu, Oxford, Palermo, Panama City, Paris, Perth,
    Philadelphia, Phoenix, Pisa, Pittsburgh, Plymouth, Portland, Porto, Prague, Pretoria, Pune, Quebec,
    Quito, Rabat, Raleigh, Recife, Reykjavik, Riga, Rio de Janeiro, Riyadh, Rome, Rosario, Rotterdam,
    Sacramento, Salzburg, San Antonio, San Diego, San Francisco, San Jose, Santiago, Sao Paulo, Sapporo,
    Sarajevo, Savannah, Seattle, Seoul, Seville, Shanghai, Sheffield, Shenzhen, Singapore, Skopje, Sofia,
    Split, Stavanger, Stockholm, Strasbourg, Stuttgart, Surabaya, Sydney, Taipei, Tallinn, Tampa, Tampere,
    Tashkent, Tbilisi, Tehran, Thessaloniki, Tirana, Tokyo, Toledo, Toronto, Toulouse, Trieste, Tripoli,
    Tromso, Tucson, Tunis, Turin, Turku, Uppsala, Utrecht, Valencia, Vancouver, Venice, Verona, Vienna,
    Vilnius, Warsaw, Washington, Wellington, Windhoek, Winnipeg, Wroclaw, Yerevan, Yokohama, York, Zagreb,
    Zurich
    """
    ),
    SEEN,
)

COUNTRIES = Words(
    _phrases(
        """
    Afghanistan, Albania, Algeria, Andorra, Angola, Argentina, Armenia, Australia, Austria, Azerbaijan,
    Bahrain, Bangladesh, Belarus, Belgium, Belize, Benin, Bhutan, Bolivia, Botswana, Brazil, Brunei,
    Bulgaria, Burundi, Cambodia, Cameroon, Canada, Chad, Chile, China, Colombia, Costa Rica, Croatia,
    Cuba, Cyprus, Denmark, Djibouti, Ecuador, Egypt, El Salvador, Eritrea, Estonia, Ethiopia, Fiji,
    Finland, France, Gabon, Georgia, Germany, Ghana, Greece, Guatemala, Guinea, Guyana, Haiti, Honduras,
    Hungary, Iceland, India, Indonesia, Iran, Iraq, Ireland, Israel, Italy, Jamaica, Japan, Jordan,
    Kazakhstan, Kenya, Kuwait, Laos, Latvia, Lebanon, Liberia, Libya, Lithuania, Madagascar, Malawi,
    Malaysia, Mali, Malta, Mauritius, Mexico, Moldova, Monaco, Mongolia, Montenegro, Morocco, Mozambique,
    Myanmar, Namibia, Nepal, New Zealand, Nicaragua, Niger, Nigeria, Norway, Oman, Pakistan, Panama,
    Paraguay, Peru, Poland, Portugal, Qatar, Romania, Rwanda, Samoa, Senegal, Serbia, Slovakia, Slovenia,
    Somalia, South Africa, South Korea, Spain, Sri Lanka, Sudan, Suriname, Sweden, Switzerland, Syria,
    Taiwan, Tajikistan, Tanzania, Thailand, Togo, Tonga, Tunisia, Turkey, Uganda, Ukraine, Uruguay,
    Uzbekistan, Venezuela, Vietnam, Yemen, Zambia, Zimbabwe
    """
    ),
    SEEN,
)

COLORS = Words(
    _words(
        """
    amber apricot aqua azure beige black blue bronze brown burgundy charcoal copper coral cream crimson
    cyan emerald gold gray green indigo ivory khaki lavender lilac lime magenta maroon mauve mint navy
    ochre olive orange peach pink plum purple red rose ruby rust salmon sapphire scarlet silver tan teal
    turquoise violet white yellow
    """
    ),
    SEEN,
)

FOODS = Words(
    _phrases(
        """
    bacon, bagel, baguette, baked beans, basil, bean soup, beef stew, beetroot, biscuit, black beans, blue
    cheese, bread, broccoli, brownie, burger, burrito, butter, cabbage, cake, candy, caramel, carrot,
    cashew, cauliflower, celery, cereal, cheddar, cheese, cheesecake, chicken, chickpea, chili, chocolate,
    chutney, cinnamon roll, cookie, corn, couscous, crab, cracker, crepe, croissant, cucumber, cupcake,
    curry, custard, donut, dumpling, eggplant, falafel, feta, fish pie, flatbread, French toast, fried
    rice, fruit salad, fudge, garlic, ginger, gnocchi, goulash, granola, gravy, green beans, grilled
    cheese, ham, hazelnut, honey, hummus, ice cream, jam, jelly, kale, kebab, ketchup, lamb, lasagna,
    leek, lemonade, lentil soup, lettuce, lobster, macaroni, maple syrup, marmalade, meatball, milkshake,
    miso soup, muffin, mushroom, mussel, mustard, naan, noodles, nougat, oatmeal, omelette, onion, onion
    soup, paella, pancake, paprika, parsley, pasta, peanut, pepper, pesto, pickle, pie, pizza, polenta,
    popcorn, pork, porridge, potato, potato salad, pretzel, pudding, pumpkin, quiche, radish, ramen,
    ravioli, rice, risotto, roast beef, salad, salami, salmon, salsa, sandwich, sauerkraut, sausage,
    scone, seaweed, shrimp, soup, spaghetti, spinach, spring roll, steak, stir fry, strudel, sushi, taco,
    tiramisu, toast, tofu, tomato, tomato soup, tortilla, trout, tuna, turnip, vanilla, waffle, walnut,
    wrap, yogurt, zucchini
    """
    ),
    SEEN,
)

FRUITS = Words(
    _phrases(
        """
    apple, apricot, avocado, banana, blackberry, blueberry, cantaloupe, cherry, clementine, coconut,
    cranberry, currant, date, dragon fruit, elderberry, fig, gooseberry, grape, grapefruit, guava,
    honeydew, jackfruit, kiwi, kumquat, lemon, lime, lychee, mandarin, mango, melon, mulberry, nectarine,
    olive, orange, papaya, passion fruit, peach, pear, persimmon, pineapple, plantain, plum, pomegranate,
    pomelo, quince, raspberry, satsuma, starfruit, strawberry, tamarind, tangerine, watermelon
    """
    ),
    SEEN,
)

ANIMALS = Words(
    _phrases(
        """
    alligator, alpaca, ant, anteater, antelope, armadillo, baboon, badger, bat, bear, beaver, bee, beetle,
    bison, boar, buffalo, butterfly, camel, canary, caribou, cat, caterpillar, cheetah, chicken,
    chimpanzee, chipmunk, clam, cobra, cockatoo, cow, coyote, crab, crane, cricket, crocodile, crow, deer,
    dog, dolphin, donkey, dove, dragonfly, duck, eagle, eel, elephant, elk, emu, falcon, ferret, flamingo,
    fox, frog, gazelle, gecko, gerbil, giraffe, goat, goldfish, goose, gorilla, grasshopper, guinea pig,
    hamster, hare, hawk, hedgehog, heron, hippo, hornet, horse, hummingbird, hyena, iguana, jackal,
    jaguar, jellyfish, kangaroo, koala, ladybug, lemur, leopard, lion, lizard, llama, lobster, lynx,
    magpie, meerkat, mole, mongoose, monkey, moose, mosquito, moth, mouse, mule, newt, octopus, opossum,
    orangutan, ostrich, otter, owl, ox, oyster, panda, panther, parrot, peacock, pelican, penguin, pig,
    pigeon, polar bear, pony, porcupine, puffin, puma, quail, rabbit, raccoon, rat, raven, reindeer,
    rhino, robin, rooster, scorpion, sea lion, seal, shark, sheep, skunk, sloth, snail, snake, sparrow,
    spider, squid, squirrel, starling, stork, swan, tapir, tiger, toad, tortoise, toucan, turkey, turtle,
    vulture, walrus, wasp, weasel, whale, wolf, wombat, woodpecker, worm, yak, zebra
    """
    ),
    SEEN,
)

PETS = Words(
    _phrases(
        """
    axolotl, budgie, canary, cat, chameleon, chinchilla, cockatiel, corn snake, dog, ferret, gecko,
    gerbil, goldfish, greyhound, guinea pig, hamster, hedgehog, hermit crab, iguana, kitten, labrador,
    lovebird, macaw, mouse, newt, parakeet, parrot, pony, poodle, puppy, rabbit, rat, spaniel, tabby cat,
    terrier, tortoise, turtle
    """
    ),
    SEEN,
)

JOBS = Words(
    _phrases(
        """
    accountant, actor, actuary, archaeologist, architect, art teacher, astronaut, astronomer, auditor,
    author, baker, banker, barber, barista, bartender, beekeeper, biologist, blacksmith, bookkeeper,
    botanist, bricklayer, builder, bus driver, butcher, carpenter, cartoonist, cashier, chef, chemist,
    choreographer, civil engineer, cleaner, coach, comedian, composer, conductor, cook, copywriter,
    courier, curator, dancer, data analyst, dentist, designer, detective, diplomat, diver, doctor,
    economist, editor, electrician, engineer, farmer, film director, firefighter, fisherman, flight
    attendant, florist, game designer, gardener, geologist, glassblower, goldsmith, graphic designer,
    guitarist, hairdresser, historian, illustrator, interpreter, inventor, janitor, jeweler, journalist,
    judge, lawyer, lecturer, librarian, lifeguard, locksmith, magician, mail carrier, makeup artist,
    manager, mason, mathematician, mechanic, meteorologist, midwife, miner, model, musician, nanny,
    novelist, nurse, optician, painter, paramedic, park ranger, pharmacist, philosopher, photographer,
    physicist, physiotherapist, pianist, pilot, plumber, poet, police officer, potter, printer, producer,
    programmer, psychologist, radio host, realtor, receptionist, reporter, roofer, sailor, sculptor,
    secretary, security guard, shepherd, shopkeeper, singer, social worker, soldier, statistician,
    surgeon, surveyor, tailor, taxi driver, teacher, tour guide, train driver, translator, truck driver,
    tutor, upholsterer, vet, violinist, waiter, watchmaker, web developer, welder, window cleaner, writer,
    zookeeper, zoologist
    """
    ),
    SEEN,
)

ITEMS = Words(
    _phrases(
        """
    air fryer, alarm clock, apron, armchair, backpack, ball, balloon, banner, basket, bath mat, bathrobe,
    battery, beach towel, bed frame, bell, belt, bench, bicycle, bike helmet, bike lock, binder,
    birdhouse, blanket, blender, board game, book, bookcase, bookmark, boot, bottle, bottle opener, bowl,
    box, bracelet, broom, brush, bucket, bulb, bunk bed, button, cable, cake tin, calculator, calendar,
    camera, camping stove, candle, canvas, card game, cardigan, carpet, chair, chandelier, charger, chess
    set, chopping board, clipboard, clock, coaster, coat, coffee grinder, coffee machine, coffee mug,
    colander, comb, comic book, compass, computer, cooler, corkscrew, crayon, crib, cup, curtain, cushion,
    cutting board, deck chair, desk, desk lamp, diary, dictionary, dish rack, dishwasher, doorbell,
    doormat, drawer, dress, drill, drone, drum, dryer, dumbbell, earbud, earring, easel, electric kettle,
    envelope, eraser, extension cord, fan, fence panel, filing cabinet, fish tank, fishing rod, flag,
    flashlight, floor lamp, flower pot, flute, folder, football, fork, freezer, fridge, frying pan, garden
    gnome, garden hose, gift card, glove, glue stick, guitar, hair dryer, hammer, hammock, handbag,
    hanger, hard drive, harmonica, hat, headband, headset, heater, highlighter, hoodie, hourglass,
    humidifier, ice tray, ink cartridge, iron, ironing board, jacket, jar, jigsaw puzzle, journal, jug,
    jumper, kettle, key ring, keyboard, kite, knife, ladder, ladle, lamp, lampshade, lantern, laptop, lawn
    mower, leash, lighter, lock, lunch box, magazine, magnet, magnifying glass, map, marker, mask,
    mattress, measuring cup, microphone, microscope, microwave, mirror, mixer, mixing bowl, monitor, mop,
    motorbike, mouse pad, mug, music box, nail, napkin, necklace, necktie, needle, notebook, novel, oven,
    oven mitt, padlock, paint roller, paintbrush, painting, pan, paper clip, paper towel, parasol,
    passport holder, pen, pencil, pencil case, pepper mill, perfume, phone, phone case, photo album,
    piano, picnic basket, picture frame, pillow, pillowcase, pin, planner, plate, playpen, plug, poncho,
    postcard, poster, pot, power bank, pressure cooker, printer, projector, puzzle, quilt, racket, radio,
    raincoat, rake, razor, record player, remote control, rice cooker, ring, robot vacuum, rocking chair,
    roller skate, rolling pin, rope, router, rug, ruler, saddle, salad bowl, sandal, saucepan, saw, scale,
    scarf, screen, screwdriver, sewing machine, shelf, shirt, shoe, shovel, shower curtain, shower head,
    sieve, sink, skateboard, skirt, sled, sleeping bag, slipper, smartphone, smoke alarm, snow globe,
    sock, sofa, soldering iron, spade, spatula, speaker, spice rack, sponge, spoon, stapler, step stool,
    sticker, stool, stopwatch, strainer, stroller, suitcase, sun hat, surfboard, sweater, swimsuit, swing,
    table, table lamp, tablecloth, tablet, tape measure, teacup, teapot, teddy bear, telescope,
    television, tennis ball, tennis racket, tent, thermometer, thermos, ticket, tie, tile, timer, tire,
    toaster, tool box, toothbrush, torch, towel, toy car, toy train, travel mug, tray, tricycle, tripod,
    trophy, trumpet, turntable, typewriter, ukulele, umbrella, vacuum cleaner, vase, vest, violin, waffle
    iron, wallet, wardrobe, washing machine, watch, water bottle, water filter, watering can, webcam,
    wheelbarrow, whisk, whistle, whiteboard, window box, wok, wrench, yoga mat, zipper
    """
    ),
    SEEN,
)

COMPANIES = Words(
    _phrases(
        """
    Acornfield, Alderbrook, Amberlane Foods, Anvil and Oak, Applewick, Arborline, Ardent Robotics,
    Ashgrove Media, Astrovale, Atlaspoint, Aurelis, Avonmere, Baywind Energy, Beaconly, Bellweather,
    Birchway, Blue Lantern, Bluefern, Boldstone, Bramblewood, Brightkettle, Brightwater Labs, Brindle and
    Co, Cabinly, Calderon Works, Candlemark, Cedarhouse, Cindertech, Clearbrook, Cloudharbor, Cloverpath,
    Cobalt Ridge, Coppertree, Coralinq, Crestwell, Dalebridge, Dawnridge, Deepfjord, Doverlane, Driftwell,
    Dunmore Tools, Eastmere, Echoforge, Eldervale, Elmstreet Bakery, Emberly, Everpine, Fairhaven Bank,
    Farpoint Travel, Fennelworks, Ferngate, Fieldmouse, Firwood, Flintlock Software, Foxglove Studio,
    Gallant Foods, Gildenhall, Glasswing, Goldenreed, Granite Peak, Greenhollow, Greyfield, Halcyon
    Freight, Harborstone, Hawkmoor, Hazelby, Heatherline, Highmarsh, Hollowell, Honeycomb Data, Inkwell
    Press, Ironbay, Islandia Air, Ivoryline, Jasperfield, Junipero, Kestrel Systems, Kilnworks, Kingfisher
    Logistics, Lakeshore Optics, Lanternfish, Larkspur, Laurel and Finch, Lindenhof, Longmeadow, Lumora,
    Lunaris, Maplegate, Marlowe Group, Meadowlark, Merrivale, Midnight Ferry, Millstone, Mistlefoot Boats,
    Mooncrest, Mossway, Northlight, Novaquill, Oakhurst, Oceanic Threads, Old Mill Paper, Orchard Nine,
    Orionis, Otterbank, Palefire, Papertrail, Pebblebrook, Penrose Partners, Pinecrest, Polarbyte,
    Quartzline, Quickfern, Quillon, Rainford, Ravenscar, Redwillow, Ridgeback Motors, Riverbend, Rookwood,
    Saffron Lane, Saltmarsh, Sandpiper Homes, Seabright, Silverbirch, Skylark Mobile, Snowdrop Health,
    Southgate, Sparrowtech, Starling Insurance, Stonebridge, Summerlin, Sunfield Solar, Swiftcurrent,
    Tallgrass, Tamarisk, Thistledown, Thornbury, Tidewater, Timberly, Treehouse Toys, Trillium, Umbra
    Labs, Valecrest, Velvetine, Verdelle Farms, Violetta, Waterwheel, Wavecrest, Westmarch, Whitecliff,
    Wildrose, Willowbank, Windermill, Winterbourne, Wrenfield, Yarrow and Sons, Yellowgate Press,
    Zephyrine
    """
    ),
    SEEN,
)

EVENTS = Words(
    _phrases(
        """
    anniversary dinner, art auction, art exhibition, award ceremony, baby shower, bake sale, ballet
    recital, band rehearsal, barbecue, baseball game, beach cleanup, bike race, birthday party, board
    meeting, boat trip, book club, book fair, book launch, budget review, camping trip, car show, career
    fair, carnival, chess tournament, choir practice, christening, cinema night, classical concert,
    clothes swap, coding workshop, comedy show, company picnic, cooking class, costume party, craft fair,
    cricket match, dance class, dentist appointment, dinner party, dog show, drama club, engagement party,
    family reunion, fashion show, film festival, fire drill, fireworks show, first aid course, flea
    market, flower show, food festival, football match, fundraiser, game night, garage sale, garden party,
    graduation, guitar lesson, half marathon, harvest festival, hiking trip, hockey game, house viewing,
    housewarming, ice skating trip, information evening, job interview, jazz concert, karaoke night,
    kickoff meeting, language exchange, leaving party, lunch meeting, magic show, marathon, museum tour,
    music festival, nature walk, networking event, office party, open day, opera night, orchestra
    rehearsal, painting class, parade, parent evening, photo shoot, piano recital, picnic, planning
    session, poetry reading, pottery class, press conference, product launch, project review, pub quiz,
    puppet show, quiz night, rock concert, sales meeting, school play, school reunion, science fair,
    sports day, staff meeting, street market, summer camp, surprise party, swimming lesson, talent show,
    tea party, team lunch, tennis match, theater night, town hall meeting, trade fair, training day,
    trivia night, video call, volleyball game, wedding, wine tasting, winter market, yoga class
    """
    ),
    SEEN,
)

LANGUAGES = Words(
    _words(
        """
    Afrikaans Albanian Amharic Arabic Armenian Basque Bengali Bosnian Bulgarian Burmese Catalan Chinese
    Croatian Czech Danish Dutch English Estonian Finnish French Galician Georgian German Greek Gujarati
    Hausa Hebrew Hindi Hungarian Icelandic Igbo Indonesian Irish Italian Japanese Kannada Kazakh Khmer
    Korean Kurdish Lao Latin Latvian Lithuanian Macedonian Malay Maltese Maori Marathi Mongolian Nepali
    Norwegian Pashto Persian Polish Portuguese Punjabi Quechua Romanian Russian Samoan Serbian Sinhala
    Slovak Slovenian Somali Spanish Swahili Swedish Tagalog Tamil Telugu Thai Tibetan Turkish Ukrainian
    Urdu Uzbek Vietnamese Welsh Xhosa Yoruba Zulu
    """
    ),
    SEEN,
)

WORDS = Words(
    _words(
        """
    able about above absent accept access account across act action active actor add address admire admit
    adult advice afford afraid after again age agency agent agree ahead air alarm album alive all allow
    almost alone along already also always amaze among amount anchor ancient angle angry animal ankle
    answer any apart apple apply arch area argue arm army around arrive arrow art article ask asleep
    assist attack attend aunt author autumn avenue avoid awake award aware away baby back bacon badge bag
    bake balance ball balloon banana band bank banner bar bare bargain bark barn barrel base basic basin
    basket bat bath battle bay beach bead beam bean bear beard beat beauty become bed bee beef before
    begin behave behind belief bell belong below belt bench bend beneath benefit berry beside best better
    between beyond bike bill bird birth bite bitter black blade blame blanket blast blend bless blind
    block bloom blow blue board boat body boil bold bolt bone bonus book boost boot border borrow boss
    both bottle bottom bounce bow bowl box boy brain branch brave bread break breath breeze brick bridge
    brief bright bring broad broken brother brown brush bubble bucket budget build bulb bundle burn burst
    bus bush business busy butter button buy cabin cable cactus cage cake call calm camel camera camp
    canal candle candy canoe canvas cap capital captain car carbon card care career careful cargo carpet
    carrot carry cart carve case cash castle casual cat catch cattle cause cave ceiling cell cement center
    central century cereal certain chain chair chalk chance change chapter charge charm chart chase cheap
    check cheek cheer cheese chef cherry chest chew chicken chief child chill chimney chin choice choose
    church cinema circle citizen city civil claim clap class clay clean clear clerk clever cliff climate
    climb clinic clock close cloth cloud clown club clue coach coal coast coat code coffee coin cold
    collar collect college color column comb come comedy comfort comic command common company compare
    concert cook cool copper copy coral core corn corner correct cost cotton couch cough council count
    country couple courage course court cousin cover cow cradle craft crane crash crawl crazy cream create
    credit creek crew crime crisp crop cross crowd crown cruel crust cry crystal cube cup cure curious
    curl current curtain curve cushion custom cut cycle daily dairy damage damp dance danger dare dark
    data date daughter dawn day dead deal dear debate debt decade decide deck deep deer defend degree
    delay deliver demand denim dense dentist depend depth desert design desk detail develop device dial
    diamond diary dice diet differ digital dinner direct dirt disc discover dish disk display distance
    dive divide dizzy doctor dog doll dollar dolphin domain donkey door dot double doubt dough down dozen
    draft dragon drama draw dream dress drift drill drink drive drop drum dry duck due dust duty each
    eager eagle ear early earn earth ease east easy eat echo edge edit effect effort egg eight either
    elbow elder elect elegant element eleven else email empire empty end enemy energy engine enjoy enough
    enter entire entry equal error escape even evening event ever every evil exact example excite excuse
    exercise exist exit expand expect expert explain explore extra eye fable fabric face fact factory fade
    fail faint fair fairy faith fall false fame family famous fan fancy far farm farmer fashion fast
    fasten father fault favor fear feast feather feature feed feel fellow fence fern ferry festival fever
    few fiber field fierce fifteen fifty fight figure file fill film filter final find fine finger finish
    fire firm first fish fist fit five fix flag flame flash flat flavor flight float flood floor flour
    flow flower fluid flute fly foam focus fog fold follow food foot force forest forget forgive fork form
    formal fort fortune forty forward fossil found four fox frame free freedom freeze fresh friend frog
    front frost frozen fruit fuel full fun funny fur future gain galaxy gallery game gap garage garden
    garlic gas gate gather gaze gear general gentle gesture ghost giant gift ginger girl give glad glance
    glass glide globe gloomy glory glove glow glue goal goat gold golf good goose govern gown grab grace
    grade grain grand grape graph grass grave gravity gray great green greet grid grin grip ground group
    grow guard guess guest guide guilty guitar gulf gum habit hair half hall hammer hand handle hang
    happen happy harbor hard harm harp harvest hat hate haul hawk hay hazard head heal health heap hear
    heart heat heavy hedge heel height helmet help hen herb herd here hero hidden hide high hill hinge
    hint hip hire history hit hobby hold hole holiday hollow holy home honest honey honor hood hook hope
    horizon horn horse hospital host hot hotel hour house hover human humble humor hundred hungry hunt
    hurry hurt hut ice idea ideal idle image imagine impact import improve inch include income indoor
    inform ink inner insect inside inspect instead intend invent invite iron island item ivory jacket jail
    jam jar jaw jazz jealous jeans jelly jet jewel job join joke journal journey joy judge juice jump
    jungle junior jury just justice keen keep kettle key keyboard kick kid kidney kind king kiss kit
    kitchen kite kitten knee knife knit knock knot know label labor lace lack ladder lady lake lamb lamp
    land lane language lantern lap large laser last late laugh launch laundry law lawn lawyer lay layer
    lazy lead leader leaf league leak lean learn leather leave lecture left leg legal legend lemon lend
    length lens less lesson letter lettuce level lever library license lid lie life lift light like limb
    limit line link lion lip liquid list listen little live liver lizard load loaf loan local lock lodge
    log logic lonely long look loop loose lord lose lost loud lounge love low loyal luck luggage lumber
    lunar lunch lung luxury machine magic magnet maid mail main major make mall mammal manage manner map
    marble march margin marine mark market marry mask mass master match mate matter maximum maybe mayor
    maze meadow meal mean measure meat medal media medical medium meet melody melon melt member memory
    mend mental mention menu mercy merge merit merry message metal method middle midnight might mild mile
    milk mill mind mine mineral minor mint minute mirror miss mist mix mobile mode model modern modest
    moment money monkey monster month mood moon moral more morning moss most moth mother motion motor
    mount mouse mouth move movie much mud mule muscle museum music mystery myth nail name napkin narrow
    nation native nature navy near neat neck need needle nephew nerve nest net network neutral never new
    news next nice niece night nine noble nobody noise none noodle noon normal north nose note nothing
    notice novel now number nurse nut oak oasis oat obey object oblong observe obtain obvious occur ocean
    odd odor off offer office officer often oil old olive once one onion only open opera opinion option
    orange orbit orchard order organ origin other otter ounce our out outdoor outfit outline outside oval
    oven over owl own owner oxygen oyster pack page paint pair palace pale palm pan panda panel panic
    pants paper parade parcel pardon parent park parrot part partner party pass past paste pasta patch
    path patient pattern pause pay pea peace peach peak pear pearl pebble pedal pen pencil people pepper
    perfect perform perfume period permit person pet phone photo phrase piano pick picnic picture pie
    piece pig pigeon pile pillow pilot pin pinch pine pink pint pioneer pipe pirate pitch pizza place
    plain plan plane planet plant plastic plate play player please plenty plot plow plug plum plus pocket
    poem poet point poison polar pole police policy polish polite pond pony pool poor popular porch port
    portion pose post pot potato pottery pound pour powder power praise pray prefer prepare present press
    pretty prevent price pride prince print prison private prize problem process produce profit program
    project promise proof proper protect proud prove provide public pudding pull pulse pump pumpkin punch
    pupil puppet puppy pure purple purpose purse push puzzle quality quarter queen quest quick quiet quilt
    quit quite quiz quote rabbit race rack radar radio raft rail rain raise ramp ranch random range rank
    rapid rare rate rather raw ray reach react read ready real reason rebel recall receive recent recipe
    record recover red reduce reef refuse region regret regular reject relax release rely remain remark
    remind remote remove rent repair repeat reply report request rescue reserve resist rest result retire
    return reveal review reward rhyme rhythm ribbon rice rich ride ridge rifle right ring ripe rise risk
    ritual rival river road roast robe robin robot rock rocket rod role roll roof room root rope rose
    rotten rough round route routine row royal rub rubber rude rug ruin rule ruler rumor run runner rural
    rush rust sad saddle safe safety sail sailor saint salad salary sale salmon salt same sample sand
    satin sauce sausage save scale scar scarce scare scarf scatter scene scent school science scissors
    scold scoop score scout scrap scratch scream screen screw script sea seal search season seat second
    secret section sector secure see seed seek seem select self sell send senior sense serious serve
    session set settle seven several shade shadow shake shallow shape share shark sharp shave shed sheep
    sheet shelf shell shelter shield shift shine ship shirt shock shoe shoot shop shore short shout shovel
    show shower shrimp shrink shut shy sick side sight sign signal silence silk silly silver similar
    simple since sing single sink sister sit site six size skate sketch ski skill skin skirt sky slam slap
    sleep sleeve slice slide slight slim slip slope slow small smart smell smile smoke smooth snack snail
    snake snap snow soap soccer social sock soda sofa soft soil solar soldier solid solve some song soon
    sorry sort soul sound soup source south space spare spark speak special speech speed spell spend
    sphere spice spider spin spirit splash split spoil sponge spoon sport spot spray spread spring square
    squeeze stable stadium staff stage stair stamp stand star stare start state station statue stay steady
    steak steal steam steel steep stem step stick stiff still sting stir stitch stock stomach stone stool
    stop store storm story stove strange straw stream street stretch strict strike string strip stripe
    stroke strong student studio study stuff style subject sudden suffer sugar suggest suit sum summer sun
    sunny super supper supply support sure surf surface surgeon surprise swamp swan swap sweat sweep sweet
    swell swift swim swing switch sword symbol system table tackle tail tailor talent talk tall tank tap
    tape target task taste taxi tea teach team tear teeth tell temple ten tender tennis tent term test
    text thank theater then theory there thick thief thin thing think third thirsty thorn thread three
    throat throne through throw thumb thunder ticket tide tidy tie tiger tight tile timber time tin tiny
    tip tire tired tissue title toast tobacco today toe together toilet token tomato tone tongue tool
    tooth top topic torch total touch tough tour toward towel tower town toy track trade traffic trail
    train trap travel tray treasure treat tree tribe trick trip trophy trouble truck true trumpet trunk
    trust truth try tube tulip tuna tunnel turkey turn turtle twelve twenty twice twin twist type ugly
    umbrella uncle under uniform union unique unit universe until upper upset urban urge use useful usual
    vacant valley value van vanilla vanish vapor various vase vast vault vehicle velvet verb verse version
    very vessel victory video view village vine violet violin virtue vision visit visitor visual vital
    vivid vocal voice volcano volume vote vowel voyage wage wagon waist wait wake walk wall wallet walnut
    wander want war warm warn wash waste watch water wave wax way weak wealth weapon wear weather weave
    web wedding weed week weekend weigh weird welcome well west wet whale wheat wheel when where while
    whip whisper whistle white whole wide widow wife wild will win wind window wine wing winner winter
    wipe wire wisdom wise wish wolf woman wonder wood wool word work worker world worm worry worth wrap
    wreck wrist write wrong yard yarn year yellow yesterday yet yogurt young zebra zero zigzag zone
    """
    ),
    SEEN,
)

_ONSETS = _words(
    "b c d f g h j k l m n p qu r s t v w z b d k l m n p r s t bl br ch cl cr dr fl fr gl gr pl pr sc sh sk"
    " sl sm sn sp st str sw th tr tw x y ph wh kn"
)
_VOWELS = _words("a e i o u a e i o u a e i o u ai au ea ee ei ie io oa oo ou ua y")
_CODAS = _words(
    "b ck d f g k l m n p r s t x z l m n r s t ll lm lt mp nd ng nk nt rd rk rm rn rt sh sk ss st th ft"
    " ct tch w"
)

# Made-up words must not be rude by accident; the stems are kept out of sight.
_STEMS = (
    "shpx fuvg phag qvpx pbpx avtt snt fyhg jube chff encr gvgf phz wnc fcvp xvxr gjng"
    " jnax cvff cbea frk anmv nahf pbba ubzb"
)
_RUDE = re.compile("|".join(_words(codecs.decode(_STEMS, "rot13"))))


def _made_up(rng: Random) -> str:
    random, length = rng.random, int(rng.random() * 7) + 1
    word = "" if random() < 0.85 else _VOWELS[int(random() * 15)]
    while True:
        word += _ONSETS[int(random() * len(_ONSETS))] + _VOWELS[int(random() * len(_VOWELS))]
        if random() < (0.25 if len(word) < length else 0.6):
            word += _CODAS[int(random() * len(_CODAS))]
        if len(word) >= length:
            return (word if len(word) > 2 else word + "n")[:9]


def pseudo_word(rng: Random, split: Split) -> str:
    """A pronounceable word of 3 to 9 letters, on the side of the split that its own hash says."""
    while True:
        word = _made_up(rng)
        if _RUDE.search(word):
            continue
        if split == "train":
            if not is_held_out(word):
                return word
        elif is_held_out(word) and word not in SEEN:
            return word


def _made_up_title(rng: Random, split: Split) -> str:
    return pseudo_word(rng, split).capitalize()


def name(rng: Random, split: Split) -> str:
    """A first or a full name; every fourth in training is made up, so that copying rests on no list."""
    if split == "train" and rng.random() < 0.25:
        return _made_up_title(rng, split)
    first = FIRST_NAMES.pick(rng, split)
    return first if rng.random() < 0.6 else f"{first} {LAST_NAMES.pick(rng, split)}"


def city(rng: Random, split: Split) -> str:
    if split == "train" and rng.random() < 0.25:
        return _made_up_title(rng, split)
    return CITIES.pick(rng, split)


def item(rng: Random, split: Split) -> str:
    if split == "train" and rng.random() < 0.25:
        return pseudo_word(rng, split)
    return ITEMS.pick(rng, split)


_SAME = _words(
    "bison buffalo deer elk fish goldfish jellyfish moose reindeer salmon sheep shrimp squid trout"
)
_PLURALS = dict(zip(_SAME, _SAME, strict=True)) | {
    "goose": "geese",
    "knife": "knives",
    "leaf": "leaves",
    "mango": "mangoes",
    "mosquito": "mosquitoes",
    "mouse": "mice",
    "ox": "oxen",
    "potato": "potatoes",
    "quiz": "quizzes",
    "scarf": "scarves",
    "shelf": "shelves",
    "tomato": "tomatoes",
    "tooth": "teeth",
    "wolf": "wolves",
}


def plural(noun: str) -> str:
    """The plural of a countable noun, whose last word alone changes."""
    head, space, last = noun.rpartition(" ")
    if last in _PLURALS:
        last = _PLURALS[last]
    elif last.endswith(("s", "x", "z", "ch", "sh")):
        last += "es"
    elif last.endswith("y") and last[-2:-1] not in tuple("aeiou"):
        last = f"{last[:-1]}ies"
    else:
        last += "s"
    return head + space + last
