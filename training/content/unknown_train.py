"""Questions that quire-tiny cannot answer, and the one reply to all of them.

`TEMPLATES` have slots; `WORDS` fills them. A slot name may end in a digit (a second word of that list) or
begin with `a_` (the word with its article). `QUESTIONS` and `NEAR_MISSES` are whole; the latter use words of
inference engines for other things. `PSEUDO` is for made-up words, `SUMS` for sums that are too hard.
"""

from __future__ import annotations

from training.content.seen_words import SEEN
from training.content.talk_train import phrases
from training.conversation import Words

DONT_KNOW = (
    "I don't know. I am a small model: ask me about Quire, numbers, lists, units and dates, JSON or tools."
)


def _words(text: str) -> Words:
    return Words(phrases(text.replace(",", "|")), SEEN)


WORDS: dict[str, Words] = {
    "country": _words(
        """Afghanistan, Albania, Algeria, Angola, Argentina, Armenia, Australia, Austria, Bangladesh,
        Belgium, Bhutan, Bolivia, Botswana, Brazil, Bulgaria, Cambodia, Cameroon, Canada, Chad, Chile,
        China, Colombia, Croatia, Cuba, Cyprus, Denmark, Ecuador, Egypt, Estonia, Ethiopia, Fiji,
        Finland, France, Gabon, Georgia, Germany, Ghana, Greece, Guatemala, Haiti, Honduras, Hungary,
        Iceland, India, Indonesia, Iran, Iraq, Ireland, Israel, Italy, Jamaica, Japan, Jordan,
        Kazakhstan, Kenya, Kuwait, Laos, Latvia, Lebanon, Libya, Lithuania, Madagascar, Malawi, Malaysia,
        Mali, Malta, Mexico, Moldova, Mongolia, Morocco, Mozambique, Namibia, Nepal, New Zealand,
        Nicaragua, Niger, Nigeria, Norway, Oman, Pakistan, Panama, Paraguay, Peru, Poland, Portugal,
        Qatar, Romania, Russia, Rwanda, Senegal, Serbia, Singapore, Slovakia, Slovenia, Somalia,
        South Africa, Spain, Sri Lanka, Sudan, Sweden, Switzerland, Syria, Tanzania, Thailand, Togo,
        Tunisia, Turkey, Uganda, Ukraine, Uruguay, Venezuela, Vietnam, Wales, Yemen, Zambia, Zimbabwe"""
    ),
    "town": _words(
        """Aldermoor, Brackenfield, Crestholm, Dunmarrow, Eastvale, Fallowbridge, Grimsey Bay, Harrowick,
        Inverloch, Kestrel Bay, Larkminster, Millhaven, Northgate, Oakenshaw, Pellworth, Queensferry,
        Ravensmoor, Stonewick, Tarrowby, Upper Wexley, Vinterhavn, Westermark, Yarrowdale, Ashcombe,
        Blackwater, Copperhill, Dovecote, Elmstead, Foxglen, Greystoke, Hollowell, Ironbridge,
        Juniper Flats, Kingsmere, Longwater, Marrowby, Nettlecombe, Orchard Hill, Pinebrook, Quarrytown,
        Rosemount, Silverlake, Thornbury, Umberleigh, Violet Springs, Willowmere, Yellowstone Creek,
        Amberley, Bramblewood, Cliffside, Driftwood, Everton Cross, Ferncliff, Goldsand, Harbour Point,
        Iceford, Kelpwick, Limestone, Moonriver, Newmarsh"""
    ),
    "person": _words(
        """Oswin Farrow, Lydia Pemberwick, Tobias Renn, Marguerite Ashdown, Casper Vell, Ottoline Greer,
        Bram Hallowell, Priscilla Tern, Ignatius Crowe, Delphine Marsh, Horatio Blunt, Seraphina Kell,
        Montague Birch, Rosalind Thrace, Percival Dunn, Imelda Stroud, Cornelius Vane, Beatrix Holloway,
        Thaddeus Quill, Winifred Oakes, Ambrose Lark, Cordelia Finch, Leopold Strand, Isadora Penn,
        Barnaby Frost, Ophelia Drake, Rupert Sandoval, Genevieve Locke, Alistair Moss, Henrietta Bloom,
        Felix Underhill, Matilda Crane, Augustus Pike, Philippa Reed, Gideon Shaw, Josephine Hart,
        Lucian Gray, Adelaide Winter, Maximilian Thorne, Tabitha Snow, Roderick Vance, Evangeline Moor,
        Sylvester Cobb, Clementine Rowe, Archibald Stone, Georgiana Wells, Ezekiel Ford, Harriet Plume,
        Bartholomew Knox, Arabella Swift, Nathaniel Brook, Constance Field, Jasper Whitlock,
        Millicent Hayes, Orlando Pike, Theodora Lane, Quentin Marlow, Vivienne Archer, Silas Granger,
        Wilhelmina Jett, Dexter Holm, Leonora Vask, Casimir Dray, Prudence Hale, Emeric Solt,
        Fenella Brisk, Torvald Jensson, Ludmila Orsk, Hideo Maruyasu, Amadou Keleba, Rafaela Quintero,
        Anselm Voss"""
    ),
    "figure": _words(
        """Napoleon, Cleopatra, Julius Caesar, Albert Einstein, Isaac Newton, Marie Curie,
        Leonardo da Vinci, Mozart, Beethoven, Shakespeare, Aristotle, Plato, Socrates, Galileo,
        Copernicus, Charles Darwin, Gandhi, Abraham Lincoln, George Washington, Queen Victoria,
        Alexander the Great, Genghis Khan, Marco Polo, Christopher Columbus, Michelangelo, Picasso,
        Van Gogh, Rembrandt, Johann Sebastian Bach, Chopin, Nikola Tesla, Thomas Edison, Alan Turing,
        Ada Lovelace, Archimedes, Pythagoras, Euclid, Joan of Arc, Marie Antoinette, Nelson Mandela,
        Rosa Parks, Martin Luther, Karl Marx, Sigmund Freud, Friedrich Nietzsche, Immanuel Kant,
        Confucius, Buddha, Homer, Dante, Cervantes, Goethe, Tolstoy, Dostoevsky, Jane Austen,
        Charles Dickens, Mark Twain, Emily Dickinson, Frida Kahlo, Claude Monet, Louis Pasteur,
        Florence Nightingale, Amelia Earhart, Neil Armstrong, Yuri Gagarin, Catherine the Great,
        Peter the Great, Nero, Hannibal, Spartacus"""
    ),
    "science": _words(
        """photosynthesis, gravity, evolution, relativity, quantum mechanics, thermodynamics, entropy,
        magnetism, electricity, osmosis, plate tectonics, radioactivity, nuclear fusion, nuclear fission,
        mitosis, meiosis, natural selection, genetics, optics, acoustics, astronomy, botany, zoology,
        geology, ecology, meteorology, microbiology, immunology, biochemistry, organic chemistry,
        fluid dynamics, dark matter, dark energy, antimatter, string theory, the big bang, black holes,
        superconductivity, photovoltaics, fermentation, combustion, oxidation, erosion, condensation,
        evaporation, refraction, diffraction, friction, inertia, momentum, kinetic energy, buoyancy,
        capillary action, crystallography, spectroscopy, paleontology, anthropology, psychology,
        sociology, economics, philosophy, linguistics, archaeology, robotics, cryptography, topology,
        game theory, chaos theory, statistics, calculus, trigonometry, the greenhouse effect,
        the water cycle, the food chain, climate change, cell division, the speed of light, sound waves,
        DNA, proteins"""
    ),
    "animal": _words(
        """aardvark, albatross, alligator, alpaca, anteater, antelope, armadillo, baboon, badger, bat,
        beaver, bison, boar, buffalo, camel, capybara, caribou, cassowary, cheetah, chimpanzee, cobra,
        condor, cougar, coyote, crane, crocodile, dolphin, donkey, dragonfly, echidna, eel, elephant,
        elk, emu, falcon, flamingo, gazelle, gibbon, giraffe, gnu, goose, gorilla, grasshopper, hawk,
        heron, hippopotamus, hornet, hyena, ibex, jackal, jaguar, jellyfish, kangaroo, kingfisher, koala,
        lemur, leopard, lion, llama, lobster, lynx, manatee, meerkat, mole, mongoose, moose, narwhal,
        octopus, okapi, opossum, orangutan, ostrich, otter, owl, panda, panther, peacock, pelican,
        penguin, platypus, porcupine, puffin, puma, raccoon, reindeer, rhinoceros, salamander, seal,
        shark, skunk, sloth, squid, squirrel, stork, swan, tapir, tiger, toucan, vulture, walrus,
        warthog, weasel, whale, wolverine, wombat, woodpecker, yak, zebra"""
    ),
    "plant": _words(
        """acacia, agave, alder, aloe, aspen, azalea, bamboo, baobab, beech, begonia, birch, bluebell,
        bonsai, cactus, camellia, carnation, cedar, chrysanthemum, clover, cypress, daffodil, dahlia,
        daisy, dandelion, elm, eucalyptus, fern, fir tree, forget-me-not, foxglove, geranium, ginkgo,
        gladiolus, hawthorn, heather, hemlock, hibiscus, holly, hyacinth, hydrangea, ivy, jasmine,
        juniper, larch, laurel, lily, linden, lotus, magnolia, mangrove, maple, marigold, mistletoe,
        moss, nettle, oak, oleander, orchid, palm tree, pansy, peony, petunia, pine, poplar, poppy,
        primrose, redwood, rhododendron, rose bush, rosemary, sequoia, snowdrop, sunflower, sycamore,
        thistle, thyme, tulip, venus flytrap, violet, water lily, weeping willow, wisteria, yew, yucca"""
    ),
    "dish": _words(
        """lasagne, paella, ramen, risotto, goulash, ratatouille, beef stew, chicken soup, onion soup,
        apple pie, cheesecake, tiramisu, pancakes, waffles, an omelette, scrambled eggs, fried rice,
        pad thai, green curry, butter chicken, biryani, sushi, tempura, dumplings, spring rolls, pho,
        kimchi, bibimbap, tacos, burritos, enchiladas, guacamole, chili, meatballs, spaghetti carbonara,
        pesto, gnocchi, ravioli, pizza dough, focaccia, sourdough bread, bagels, pretzels, croissants,
        banana bread, carrot cake, brownies, chocolate mousse, creme brulee, panna cotta, rice pudding,
        apple strudel, schnitzel, sauerkraut, borscht, pierogi, moussaka, tzatziki, hummus, falafel,
        shakshuka, couscous, tagine, jollof rice, fish and chips, shepherd's pie, roast beef,
        mashed potatoes, gravy, coleslaw, potato salad, caesar salad, gazpacho, ceviche, clam chowder,
        gumbo, jambalaya, mac and cheese, cornbread, marshmallows, strawberry jam"""
    ),
    "film": _words(
        """The Last Lighthouse, Midnight Orchard, Seven Quiet Rivers, Iron Sparrow, The Glass Harbour,
        Return to Marrow Hill, Echoes of Saturn, The Baker's Secret, Paper Wolves, Northern Static,
        A Winter in Lisbon, The Clockmaker's Niece, Crimson Tide Pool, Nobody's Comet,
        The Velvet Staircase, Shadows over Elmstead, Ten Days of Rain, The Salt Road, Broken Compass,
        Hotel Meridian, The Lemon Thief, Dust and Thunder, Goodnight Captain, The Hollow Crown Affair,
        Silent Carousel, Blue Tram, The Woman from Platform Nine, Amber Coast, The Longest Weekend,
        Tigers at Noon, Beneath the Frozen Lake, The Violin Heist, Starlight Motel, The Ninth Passenger,
        Children of the Delta, Rusted Angels, The Island of Bells, Copper Sky, Farewell Valentina,
        The Snow Detective, Ghosts of Route Five, The Pearl Merchant, Under Two Moons, The Painted Door,
        Wild Geese Crossing, Kingdom of Ash, The Sleepwalker's Map, Letters to Nobody, The Marble Garden,
        Thirteen Candles, Desert Radio, A Fox in the Parlour, The Great Balloon Race, Neon Samurai,
        The Quiet Assassin, Summer of the Heron, Captain Marigold, The Forgotten Chapel, Planet of Rust,
        The Ferryman's Daughter, Zero Hour Bakery, Moonlit Saboteurs, The Orchid Conspiracy,
        Four Feet of Snow"""
    ),
    "book": _words(
        """The Weaver of Tides, A History of Umbrellas, Salt and Cinders, The Lighthouse Notebook,
        Ninety Letters Home, The Cartographer's Wife, Winter Bees, The Invisible Orchestra,
        Songs for a Drowned City, The Owl Inheritance, Gardens of the North, The Accidental Monk,
        The Brass Nightingale, Small Hours, The Raven Ledger, Maps of Silence, The Red Caravan,
        Daughters of Chalk, The Patient Gardener, An Ocean of Wheat, The Tailor of Kestrel Street,
        The Hunger Season, Stone Fruit, The Widow's Telescope, Where the Herons Sleep, The Silver Axe,
        Bread and Gunpowder, The Stranger on the Pier, Notes from a Cold Attic, The Emperor's Barber,
        The Last Apple Tree, Lanterns at Sea, The Book of Minor Storms, A Thousand Doors, The Quarry,
        The Shepherd's Algebra, Feathers and Iron, The Lost Signal, The House on Tern Island,
        Bitter Almonds, The Clay Soldier, The Secret Life of Moths, Ink, The Drifting Parish,
        All the Blue Windows, The Witch of Larkminster, The Long Furrow, Twelve Empty Chairs,
        The Midnight Postman, Ashes of Spring, The Nettle Coat, The Honest Smuggler,
        The Mapmaker's Apprentice, Gravity and Other Stories, The Tenth Bell, The Mirror Thief,
        On Quiet Water, The Last Herring, A Field Guide to Regret, The Paper Regiment"""
    ),
    "song": _words(
        """Midnight Ferry, Dancing on the Gravel, Hey Marianne, Blue Canary Blues, Wait for the Rain,
        Seven Summers, Neon Heart, Tell Your Mother, Broken Jukebox, Golden Mile, Run Tomorrow,
        Velvet Morning, The Engine Driver's Waltz, My Paper Moon, Radio Silence, Lonely Tambourine,
        Honey and Smoke, Sweet Josephine, Fade to Silver, Ride the Thunder, Cold Coffee,
        Hold the Line Again, Crystal Staircase, Little Brown Dog, Over the Harbour, Shoes Without Laces,
        Mountain Lullaby, Electric Sunday, Ocean Drive Nights, Never Call Me Back, Strawberry Alley,
        Born on a Train, Bring Me the Stars, Under the Viaduct, Cherry Wine, Wild Horses of July,
        Silent Telephone, One More Carousel, Burn the Letters, The Ballad of Tom Farrow, Echo Valley,
        Satellite Girl, Rust and Roses, Half Past Love, Winter Bicycle, Ghost Parade, Purple Avenue,
        Long Way to Larkminster, Tin Roof Serenade, Follow the River Down, Heartbeat Motel, Kites,
        Falling Upwards, Lantern Song, Dance of the Foxes, Two Cups of Tea, Yesterday's Paper,
        Shine On Louisa, Slow Tram Home, Moonshine Road"""
    ),
    "event": _words(
        """the French Revolution, the Battle of Hastings, the fall of Rome, the moon landing,
        the Great Fire of London, the sinking of the Titanic, World War One, World War Two, the Cold War,
        the fall of the Berlin Wall, the Black Death, the Renaissance, the Industrial Revolution,
        the American Civil War, the Boston Tea Party, the Russian Revolution, the Battle of Waterloo,
        the Norman conquest, the Crusades, the Reformation, the Gold Rush, the Great Depression,
        the Spanish Armada, the Wars of the Roses, the Hundred Years War, the Thirty Years War,
        the Boxer Rebellion, the Opium Wars, the Meiji Restoration, the partition of India,
        the Cuban missile crisis, the Suez crisis, the Chernobyl disaster, the eruption of Vesuvius,
        the Lisbon earthquake, the Irish famine, the Boer War, the Korean War, the Vietnam War,
        the Gulf War, the Treaty of Versailles, the Congress of Vienna, the Magna Carta,
        the Peasants' Revolt, the Gunpowder Plot, the Salem witch trials, the Louisiana Purchase,
        the Battle of Gettysburg, the first Olympics, the first world cup, the Peloponnesian War,
        the Punic Wars, the siege of Troy, the Viking raids, the Mongol invasion, the Age of Discovery,
        the Enlightenment, the Prague Spring, the storming of the Bastille, the Dust Bowl,
        the Spanish flu, the invention of printing, the first flight, the Ice Age, the Bronze Age,
        the Stone Age"""
    ),
    "language": _words(
        """French, German, Spanish, Italian, Portuguese, Dutch, Swedish, Norwegian, Danish, Finnish,
        Icelandic, Polish, Czech, Slovak, Hungarian, Romanian, Bulgarian, Serbian, Croatian, Slovenian,
        Greek, Turkish, Russian, Ukrainian, Latvian, Lithuanian, Estonian, Irish, Welsh, Basque, Catalan,
        Galician, Arabic, Hebrew, Persian, Urdu, Hindi, Bengali, Punjabi, Gujarati, Marathi, Tamil,
        Telugu, Kannada, Malayalam, Sinhala, Nepali, Burmese, Thai, Lao, Khmer, Vietnamese, Malay,
        Indonesian, Tagalog, Chinese, Mandarin, Cantonese, Japanese, Korean, Mongolian, Tibetan, Kazakh,
        Uzbek, Georgian, Armenian, Swahili, Zulu, Xhosa, Amharic, Somali, Hausa, Yoruba, Igbo, Maori,
        Hawaiian, Samoan, Latin, Sanskrit, Esperanto, Old Norse, Klingon"""
    ),
    "sport": _words(
        """football, basketball, tennis, cricket, rugby, baseball, volleyball, golf, hockey, ice hockey,
        handball, badminton, table tennis, squash, swimming, diving, rowing, sailing, surfing,
        windsurfing, kayaking, cycling, mountain biking, skiing, snowboarding, ski jumping, biathlon,
        curling, figure skating, speed skating, bobsleigh, gymnastics, athletics, the marathon,
        the triathlon, the decathlon, the javelin, the high jump, pole vault, the shot put, hurdles,
        boxing, wrestling, judo, karate, taekwondo, fencing, archery, shooting, weightlifting, bowling,
        darts, snooker, billiards, chess boxing, polo, water polo, horse racing, show jumping,
        formula one, rally driving, motocross, rock climbing, skateboarding, lacrosse, softball, netball,
        sumo, parkour, orienteering"""
    ),
    "machine": _words(
        """the telephone, the light bulb, the steam engine, the bicycle, the printing press,
        the telescope, the microscope, the radio, the television, the airplane, the helicopter, the car,
        the submarine, the rocket, the parachute, the sewing machine, the typewriter,
        the washing machine, the dishwasher, the refrigerator, the vacuum cleaner, the microwave oven,
        the toaster, the hairdryer, the elevator, the escalator, the compass, the thermometer,
        the barometer, the clock, the pocket watch, the camera, the film projector, the phonograph,
        the battery, the electric motor, the dynamo, the windmill, the water wheel, the plough,
        the tractor, the combine harvester, the crane, the bulldozer, the laser, the X-ray machine,
        the pacemaker, the stethoscope, the syringe, the zipper, the ballpoint pen, the pencil,
        the paper clip, the umbrella, the safety pin, the match, dynamite, gunpowder, velcro,
        the traffic light, the barcode, the credit card, the jet engine, the hot air balloon,
        the zeppelin, the sextant"""
    ),
    "disease": _words(
        """the flu, a cold, malaria, measles, mumps, chickenpox, smallpox, tuberculosis, cholera,
        typhoid, tetanus, polio, diabetes, asthma, anemia, arthritis, gout, scurvy, rickets, eczema,
        psoriasis, acne, hay fever, migraine, epilepsy, dementia, insomnia, sleep apnea, depression,
        anxiety, high blood pressure, high cholesterol, a stroke, heartburn, a stomach ulcer,
        food poisoning, appendicitis, gallstones, kidney stones, hepatitis, pneumonia, bronchitis,
        a sore throat, tonsillitis, an ear infection, pink eye, glaucoma, cataracts, tinnitus, vertigo,
        sunburn, frostbite, athlete's foot, a sprained ankle, a broken wrist, back pain, sciatica,
        scoliosis, osteoporosis, shingles, rabies, Lyme disease, leprosy, the plague, celiac disease,
        lactose intolerance, a nut allergy, a bee sting, a toothache"""
    ),
    "instrument": _words(
        """violin, viola, cello, double bass, guitar, bass guitar, banjo, mandolin, ukulele, harp, lute,
        sitar, zither, piano, harpsichord, pipe organ, accordion, harmonica, flute, piccolo, clarinet,
        oboe, bassoon, saxophone, recorder, bagpipes, trumpet, trombone, tuba, French horn, cornet,
        bugle, euphonium, drums, snare drum, timpani, bongos, congas, djembe, tambourine, triangle,
        cymbals, gong, xylophone, marimba, vibraphone, glockenspiel, castanets, maracas, theremin,
        synthesizer, didgeridoo, pan flute, ocarina, hurdy-gurdy, balalaika, bouzouki, koto, shamisen,
        erhu, kalimba, tabla, dulcimer, lyre, cowbell, alphorn, cajon"""
    ),
    "body": _words(
        """heart, liver, kidney, lung, stomach, spleen, pancreas, bladder, gallbladder, appendix, brain,
        spinal cord, skull, jaw, tongue, tooth, nose, ear, eardrum, eye, retina, pupil, iris, cornea,
        eyelid, eyebrow, cheek, chin, neck, throat, larynx, esophagus, shoulder, collarbone, elbow,
        wrist, thumb, fingernail, knuckle, rib, spine, hip, pelvis, thigh, knee, kneecap, shin, calf,
        ankle, heel, big toe, skin, muscle, tendon, ligament, nerve, artery, vein, blood cell,
        bone marrow, thyroid, lymph node, diaphragm, small intestine, colon, hair follicle"""
    ),
    "planet": _words(
        """Mercury, Venus, Mars, Jupiter, Saturn, Uranus, Neptune, Pluto, Ceres, Eris, Haumea, Makemake,
        Sedna, the Moon, Io, Europa, Ganymede, Callisto, Titan, Enceladus, Rhea, Dione, Tethys, Mimas,
        Iapetus, Titania, Oberon, Miranda, Ariel, Umbriel, Charon, Phobos, Deimos, the Sun, Sirius,
        Betelgeuse, Rigel, Vega, Polaris, Antares, Aldebaran, Arcturus, Altair, Proxima Centauri,
        Barnard's Star, the Andromeda galaxy, the Milky Way, the Orion Nebula, the Crab Nebula,
        the Pleiades, the Big Dipper, Cassiopeia, Orion, the Kuiper belt, the Oort cloud, Halley's comet,
        the asteroid belt, Vesta, Pallas, the Southern Cross, Alpha Centauri"""
    ),
    "element": _words(
        """iron, copper, gold, silver, zinc, tin, lead, nickel, aluminium, titanium, tungsten, platinum,
        mercury, uranium, plutonium, lithium, sodium, potassium, calcium, magnesium, chromium, manganese,
        cobalt, gallium, germanium, arsenic, selenium, bromine, iodine, fluorine, chlorine, neon, argon,
        krypton, xenon, radon, helium, hydrogen, oxygen, nitrogen, carbon, boron, silicon, phosphorus,
        sulfur, barium, strontium, radium, cadmium, indium, antimony, bismuth, palladium, rhodium,
        iridium, osmium, rhenium, tantalum, hafnium, zirconium, niobium, molybdenum, vanadium, scandium,
        yttrium, neodymium, cerium, thorium, beryllium, rubidium, cesium, bronze, brass, steel"""
    ),
    "god": _words(
        """Zeus, Hera, Poseidon, Athena, Apollo, Artemis, Ares, Hermes, Hephaestus, Dionysus, Demeter,
        Hades, Persephone, Eros, Aphrodite, Hestia, Cronus, Gaia, Prometheus, Atlas, Nike, Jupiter, Juno,
        Minerva, Diana, Vulcan, Bacchus, Janus, Vesta, Odin, Thor, Loki, Freyja, Freyr, Baldur, Tyr,
        Heimdall, Frigg, Ra, Osiris, Isis, Horus, Anubis, Set, Thoth, Hathor, Bastet, Shiva, Vishnu,
        Brahma, Ganesha, Kali, Lakshmi, Hanuman, Indra, Agni, Quetzalcoatl, Tlaloc, Inti, Viracocha,
        Amaterasu, Susanoo, Izanagi, Marduk, Ishtar, Enki, Baal, Lugh, Brigid, Dagda, Perun, Anansi,
        Pele"""
    ),
    "river": _words(
        """the Nile, the Amazon, the Danube, the Rhine, the Thames, the Seine, the Loire, the Rhone,
        the Elbe, the Oder, the Vistula, the Volga, the Don, the Dnieper, the Po, the Tiber, the Ebro,
        the Tagus, the Ganges, the Indus, the Brahmaputra, the Mekong, the Yangtze, the Yellow River,
        the Tigris, the Euphrates, the Jordan River, the Congo, the Niger River, the Zambezi,
        the Limpopo, the Mississippi, the Missouri, the Colorado River, the Rio Grande, the Yukon,
        the Mackenzie, the Orinoco, the Parana, the Murray, the Darling, Mount Everest, K2, Kilimanjaro,
        Mont Blanc, the Matterhorn, Mount Fuji, Mount Etna, Aconcagua, Denali, Ben Nevis, the Zugspitze,
        Lake Victoria, Lake Baikal, Lake Titicaca, Lake Superior, the Caspian Sea, the Dead Sea,
        the Black Sea, the Red Sea, the Sahara, the Gobi desert, the Grand Canyon, Niagara Falls,
        the Great Barrier Reef, the English Channel, the Bering Strait, Cape Horn, the Amazon rainforest,
        the Alps, the Andes, the Himalayas, the Rocky Mountains, the Pacific Ocean, the Atlantic,
        Greenland, Sicily, Tasmania, Easter Island"""
    ),
    "landmark": _words(
        """the Eiffel Tower, the Colosseum, Big Ben, the Statue of Liberty, the Great Wall of China,
        the Taj Mahal, Machu Picchu, the pyramids, the Sphinx, Stonehenge, the Parthenon,
        the Leaning Tower of Pisa, the Louvre, Versailles, the Kremlin, the Brandenburg Gate,
        Neuschwanstein, Notre Dame, the Sagrada Familia, the Alhambra, Petra, Angkor Wat,
        the Forbidden City, the Golden Gate Bridge, the Brooklyn Bridge, the Empire State Building,
        the White House, Mount Rushmore, the Sydney Opera House, the Burj Khalifa, the Hagia Sophia,
        the Blue Mosque, Saint Peter's Basilica, the Sistine Chapel, the Trevi Fountain, the Pantheon,
        the Acropolis, Buckingham Palace, Tower Bridge, the London Eye, Edinburgh Castle,
        the Tower of London, Windsor Castle, Chichen Itza, the Moai statues, Christ the Redeemer,
        the Space Needle, the Gateway Arch, Alcatraz, the Panama Canal, the Suez Canal, the Hoover Dam,
        the Channel Tunnel, the Atomium, the Charles Bridge, the Little Mermaid statue, Hadrian's Wall,
        the Terracotta Army, Borobudur, Table Mountain"""
    ),
    "topic": _words(
        """love, autumn, the sea, friendship, my grandmother, a lonely robot, spring rain, the moon,
        a lost dog, hope, winter, a brave mouse, my hamster, freedom, time, mountains, a haunted house,
        a dragon, the first snow, a sailor, coffee, a broken heart, stars, the city at night, a garden,
        childhood, summer holidays, an old clock, courage, a talking tree, the desert, war and peace,
        a train ride, a birthday party, the wind, a forgotten toy, dreams, sisters, a pirate ship,
        space travel, a wizard school, the end of the world, an umbrella, bread, a rainy Monday,
        a lighthouse keeper, home, a magic carpet, two rivals, silence, a clumsy detective, sunflowers,
        football, a farewell, my teacher, a time machine, bees, kindness, a secret door, an astronaut,
        old age, the colour blue, jealousy, a mermaid"""
    ),
    "trade": _words(
        """a used car, a mattress, a laptop, running shoes, a washing machine, a birthday present,
        a bicycle, a tent, a winter coat, a coffee machine, headphones, a sofa, a phone, a camera,
        a vacuum cleaner, a wedding dress, a guitar, a dishwasher, sunglasses, a backpack, hiking boots,
        a printer, a monitor, a desk lamp, a lawn mower, a drill, a piano, a puzzle, a board game,
        a cookbook, perfume, a ring, a suitcase, an electric toothbrush, a kettle, a fridge,
        a kitchen knife, curtains, a carpet, a hammock, a grill, a swimsuit, an umbrella, a watch,
        a telescope, a drone, a skateboard, a helmet, a baby seat, a bookshelf, a freezer, a ladder,
        a fishing rod, a violin, a sewing machine, a television, a handbag, a bunk bed, a fan,
        a heater"""
    ),
    "law": _words(
        """a divorce, a parking ticket, a rental contract, a will, an inheritance, child custody,
        a patent, a trademark, copyright, a building permit, a noisy neighbour, a tax return,
        unpaid overtime, a dismissal, a work visa, citizenship, a prenuptial agreement, an unfair lease,
        a deposit, a speeding fine, a faulty product, a cancelled flight, identity theft, a libel case,
        a power of attorney, bankruptcy, a mortgage, a loan, a pension, health insurance, car insurance,
        a credit score, a student loan, maternity leave, a trust fund, jury duty, a restraining order,
        a small claims court, a witness statement, an adoption, a name change, a driving licence,
        a gun permit, import duty, a dog bite, a fence dispute, a broken lease, a data breach,
        a bad employer reference, a court summons, a customs fee, an insurance claim, a house sale,
        a notary, a fraud case, a hit and run, a warranty, a refund, a subscription trap, squatters"""
    ),
    "code": _words(
        """reverses a string, sorts a list of names, checks for palindromes,
        computes the Fibonacci numbers, parses a CSV file, downloads a web page, finds prime numbers,
        counts the words in a file, sends an email, draws a fractal, plays tic-tac-toe,
        connects to a database, reads a temperature sensor, merges two dictionaries,
        converts roman numerals, solves a sudoku, shuffles a deck of cards, validates an email address,
        renders a chart, scrapes a table, encrypts a file, compresses images, renames all my photos,
        walks a directory tree, starts a timer, plays a sound, opens a window, makes an HTTP request,
        implements quicksort, implements binary search, finds the shortest path, inverts a matrix,
        computes a factorial, generates a password, removes duplicates, checks a credit card number,
        flattens a nested list, counts vowels, simulates a dice roll, logs to a file, retries on failure,
        listens on a socket, backs up a folder, resizes a picture, detects faces, plots a histogram,
        builds a linked list, balances a binary tree, animates a ball, tokenizes a sentence,
        calculates a mortgage, tracks my expenses, plays the snake game, prints a calendar,
        translates morse code, watches a directory, reads a barcode, merges PDF files,
        converts text to speech, solves the eight queens problem"""
    ),
    "lang": _words(
        """Python, JavaScript, TypeScript, Java, Kotlin, Swift, Rust, Go, C, C++, C#, Ruby, PHP, Perl,
        Haskell, Scala, Clojure, Lisp, Scheme, Prolog, Fortran, COBOL, Pascal, Ada, Lua, Julia, R,
        MATLAB, bash, PowerShell, SQL, HTML, CSS, Dart, Elixir, Erlang, OCaml, F#, Visual Basic,
        assembly, Zig, Nim, Groovy, Smalltalk, Tcl, Objective-C, Excel, Scratch"""
    ),
    "company": _words(
        """Nordwind Motors, Apex Dairy, Bluefin Bank, Coral Airlines, Dunmore Steel, Everglow,
        Fennec Phones, Goldleaf Foods, Harbor Oil, Ibex Sportswear, Juniper Hotels, Kestrel Air,
        Lumen Power, Mapletree, Nimbus Games, Orbital Freight, Pinnacle Pharma, Quartz Watches,
        Redfox Media, Silverline Rail, Tundra Gear, Umbra Studios, Vela Shipping, Westgate Mall,
        Yonder Travel, Zephyr Cars, Apple, Tesla, Amazon, Microsoft, Toyota, Nestle, Volkswagen, Samsung,
        Sony, Nintendo, Disney, Netflix, Boeing, Airbus, Siemens, Shell, Ikea, Lego, Adidas, Nike,
        Coca-Cola, McDonald's, Starbucks, Visa, Intel, Bitcoin, Ethereum, gold, crude oil, the dollar,
        the euro, the yen, the pound, the Dow Jones"""
    ),
    "game": _words(
        """chess, checkers, poker, bridge, blackjack, rummy, solitaire, backgammon, go, shogi, mahjong,
        dominoes, mancala, ludo, hearts, spades, cribbage, whist, uno, charades, hide and seek, tag,
        hopscotch, marbles, jacks, tug of war, musical chairs, croquet, petanque, bingo, roulette, craps,
        sudoku, crosswords, hangman, battleship, tetris, pac-man, pong, pinball, capture the flag,
        dodgeball, kickball, twenty questions, truth or dare, spin the bottle, yahtzee, risk, monopoly,
        scrabble, clue, catan, pictionary, jenga, connect four, othello, nine men's morris,
        tic-tac-toe"""
    ),
    "thing": _words(
        """soap, glass, paper, cement, plastic, rubber, silk, cotton, leather, wool, ink, paint, glue,
        candles, perfume, salt, sugar, butter, cheese, beer, wine, whisky, vinegar, honey, chocolate,
        coffee, tea, bread, yogurt, porcelain, bricks, concrete, asphalt, mirrors, pearls, diamonds,
        coal, petrol, diesel, natural gas, solar panels, wind turbines, fireworks, tyres, shoes, hats,
        umbrellas, violins, pianos, microchips, light bulbs, magnets, balloons, coins, banknotes, stamps,
        maps, globes, carpets, tapestries, hammers, nails, screws, springs, needles, buttons,
        spectacles"""
    ),
    "weather_place": _words(
        """my town, the mountains, the coast, Scotland, Bavaria, Tuscany, Provence, Andalusia, Texas,
        Florida, Alaska, Hawaii, Bali, the Canary Islands, Crete, Sardinia, Corsica, Lapland, Patagonia,
        Siberia, Queensland, Quebec, Ontario, Catalonia, Normandy, Brittany, Cornwall, Yorkshire, Wales,
        the Highlands, the Lake District, Transylvania, Kerala, Punjab, Kashmir, Tibet, Hokkaido,
        Okinawa, Java, Sumatra, Borneo, Zanzibar, the Azores, Madeira, Malta, Cyprus, the Bahamas,
        Barbados, Bermuda, Nevada, Arizona, Oregon, Ohio, Kansas, Vermont, Maine, the Black Forest,
        the Alps, the valley, the desert, my village"""
    ),
    "hobby": _words(
        """knitting, crochet, origami, calligraphy, woodcarving, pottery, beekeeping, gardening,
        composting, birdwatching, stargazing, photography, watercolour painting, oil painting,
        drawing portraits, juggling, magic tricks, ventriloquism, yoga, meditation, pilates, running,
        swimming laps, weight training, rock climbing, horse riding, fly fishing, camping, hiking,
        foraging, brewing beer, baking bread, making cheese, pickling vegetables, candle making,
        soap making, sewing, quilting, embroidery, weaving, leatherwork, metal detecting, model trains,
        stamp collecting, coin collecting, playing the piano, singing in tune, public speaking,
        creative writing, touch typing, speed reading, whistling, tap dancing, salsa dancing,
        ballroom dancing, skateboarding, surfing, scuba diving, sailing, driving a truck,
        parallel parking, changing a tyre, fixing a bike, repairing a watch, training a puppy"""
    ),
    "chore": _words(
        """remove a wine stain, unclog a toilet, fix a leaking tap, paint a ceiling, hang a picture,
        clean an oven, descale a kettle, sharpen a knife, iron a shirt, fold a fitted sheet, tie a tie,
        tie a bowline, polish shoes, wash a wool sweater, get rid of ants, catch a mouse, plant tomatoes,
        prune a rose bush, repot an orchid, mow the lawn, build a fence, lay tiles, wallpaper a room,
        change a light bulb, replace a fuse, jump-start a car, change a tyre, check the oil,
        bleed a radiator, insulate an attic, defrost a freezer, open a jar, boil an egg, peel garlic,
        cut an onion, fillet a fish, carve a turkey, brew good coffee, store potatoes, freeze herbs,
        pack a suitcase, light a campfire, pitch a tent, read a map, start a diary, bathe a dog,
        trim a dog's claws, teach a parrot to talk, calm a baby, change a nappy, wrap a present,
        write a letter of complaint, whiten teeth, remove a splinter, stop a nosebleed, lose weight,
        fall asleep faster, quit smoking, save money, invest money"""
    ),
    "school": _words(
        """the Pythagorean theorem, Ohm's law, Newton's second law, Boyle's law, Archimedes' principle,
        Hooke's law, Kepler's laws, Mendel's laws, the periodic table, the ideal gas law,
        the quadratic formula, the binomial theorem, the law of cosines, the area of a circle,
        the volume of a sphere, the derivative of a sine, an integral, a logarithm, a matrix,
        an eigenvalue, a vector space, a prime factor, a complex number, an imaginary number,
        a polynomial, a fraction, a hypotenuse, a parabola, an ellipse, a tangent, a proof by induction,
        a Venn diagram, a normal distribution, a standard deviation, a p-value, a verb, an adjective,
        a metaphor, a haiku, a sonnet, a limerick, a thesis, iambic pentameter, onomatopoeia, irony,
        alliteration, a covalent bond, an ion, an isotope, a catalyst, a molecule, an enzyme,
        a chromosome, a mitochondrion, a ribosome, a virus, a bacterium, a fungus, a vertebrate,
        an ecosystem, a glacier, a volcano, a tsunami"""
    ),
    "society": _words(
        """democracy, monarchy, communism, capitalism, socialism, anarchism, feudalism, colonialism,
        inflation, deflation, a recession, globalisation, gross domestic product, the stock market,
        supply and demand, a tariff, an embargo, the United Nations, the European Union, NATO,
        the World Bank, the Red Cross, the Olympics, a constitution, a parliament, a senate,
        a referendum, an election, the electoral college, gerrymandering, the supreme court,
        human rights, freedom of speech, civil disobedience, a general strike, a trade union,
        minimum wage, universal basic income, welfare, Buddhism, Hinduism, Christianity, Islam, Judaism,
        Taoism, Shinto, Sikhism, atheism, stoicism, existentialism, nihilism, utilitarianism,
        the Renaissance style, baroque music, impressionism, cubism, surrealism, gothic architecture,
        jazz, hip hop, opera, ballet, theatre of the absurd"""
    ),
}

TEMPLATES: list[str] = phrases(
    """what is the capital of {country}? | capital of {country} | Which city is the capital of {country}? |
    how many people live in {country}? | What is the population of {country}? |
    Who is the president of {country}? | who is the prime minister of {country} |
    What language do they speak in {country}? | what's the currency of {country}? |
    which continent is {country} on | Where is {country}? | What are the neighbours of {country}? |
    what is {country} famous for? | tell me about the history of {country} |
    What is the national anthem of {country}? | describe the flag of {country} |
    is {country} bigger than {country2}? | Do I need a visa for {country}? |
    Best places to visit in {country} | plan a trip to {country} for me |
    is it safe to travel to {country}? | Who won the last election in {country}? |
    What is the national dish of {country}? | When did {country} become independent? |
    how far is it from {country} to {country2}? | Which is the largest city of {country}? |
    what's the best hotel in {town}? | How do I get to {town}? | where can I eat well in {town} |
    When does the next bus to {town} leave? | find me a flight to {town} | What's the postcode of {town}? |
    Is there a pharmacy open in {town}? | who is the mayor of {town}? | who is {person}? |
    Who was {person}? | tell me about {person} | What is {person} known for? | When was {person} born? |
    how old is {person} | Is {person} still alive? | Who is {person} married to? |
    what is the phone number of {person}? | Where does {person} live? | Did {person} win an award? |
    What did {person} say about {topic}? | do you know {person}? | write a short biography of {person} |
    How rich is {person}? | how tall is {person}? | who was {figure}? | When was {figure} born? |
    when did {figure} die | What did {figure} do? | Why is {figure} famous? | where was {figure} born? |
    Tell me something about {figure} | what did {figure} discover or write? | How did {figure} die? |
    Who were the parents of {figure}? | explain {science} | What is {science}? | how does {science} work? |
    Can you explain {science} to me? | who discovered {science}? | Give me a summary of {science} |
    why is {science} important? | what do you know about {science} | I need to learn {science} for school |
    What's the difference between {science} and {science2}? | teach me {science} |
    Recommend a book about {science} | define {science} | describe {science} in simple words |
    Is {science} real? | write an essay about {science} | what is {a_animal}? | What do {animal}s eat? |
    how long does {a_animal} live | Where does the {animal} live? | how fast can {a_animal} run? |
    is the {animal} endangered? | How big is {a_animal}? | what sound does {a_animal} make |
    Is {a_animal} dangerous? | how many legs does {a_animal} have? | What do you call a baby {animal}? |
    which is faster, {a_animal} or {a_animal2}? | Can I keep {a_animal} as a pet? |
    Tell me a fact about the {animal} | who would win, {a_animal} or {a_animal2}? |
    Do {animal}s sleep at night? | what is the latin name of the {animal}? | How do I grow {plant}? |
    is {plant} poisonous? | When does {plant} bloom? | how often do I water {plant} |
    What does {plant} look like? | Where does {plant} grow? | What is {plant} used for? |
    how tall does {plant} get? | when should I plant {plant}? | how do I cook {dish}? | Recipe for {dish} |
    give me a recipe for {dish} | What goes into {dish}? | how long does {dish} take in the oven |
    Is {dish} healthy? | how many calories are in {dish} | Which wine goes with {dish}? |
    Where does {dish} come from? | how do you make {dish}? | Can I make {dish} without eggs? |
    can you freeze {dish}? | What can I serve with {dish}? | who directed {film}? |
    When did {film} come out? | what is {film} about? | Who plays the lead in {film}? |
    is {film} worth watching? | Did {film} win an Oscar? | how does {film} end | Where can I watch {film}? |
    Summarise the plot of {film} | how long is the film {film}? | who wrote {book}? |
    What is the book {book} about? | summarize {book} for me | Who is the main character of {book}? |
    Have you read {book}? | how many pages does {book} have? | when was {book} published? |
    What is the moral of {book}? | who sings {song}? | What are the lyrics of {song}? |
    when was {song} released | Who wrote the song {song}? | play {song} | what are the chords of {song}? |
    Which album is {song} on? | What is the song {song} about? | when did {event} happen? |
    When was {event}? | why did {event} happen | Who took part in {event}? | What caused {event}? |
    what were the consequences of {event}? | tell me about {event} | How long did {event} last? |
    Where did {event} take place? | Explain {event} in one paragraph | Was {event} important? |
    How many people died in {event}? | translate good morning into {language} |
    How do you say thank you in {language}? | translate this into {language}: where is the station |
    what is the {language} word for {animal}? | Is {language} hard to learn? |
    How many people speak {language}? | say hello in {language} | how do I learn {language} fast? |
    What does this {language} word mean? | Write a letter in {language} | count to five in {language} |
    where is {language} spoken? | Which is easier, {language} or {language2}? |
    can you translate {topic} to {language}? | who won the world cup in {sport}? |
    What are the rules of {sport}? | who is the best player in {sport} | How do I get better at {sport}? |
    what do I need for {sport}? | Who holds the world record in {sport}? |
    when is the next big match in {sport}? | how long does a game of {sport} last? | Who invented {sport}? |
    is {sport} an Olympic sport? | what was the score in the {sport} final | who invented {machine}? |
    When was {machine} invented? | how does {machine} work? | What is {machine} used for? |
    where was {machine} invented | explain to me how {machine} works | Why was {machine} invented? |
    What did people use before {machine}? | what are the symptoms of {disease}? |
    How do I treat {disease}? | what helps against {disease} | Is {disease} contagious? |
    how long does {disease} last? | Should I see a doctor about {disease}? |
    Which medicine is good for {disease}? | can you die of {disease}? |
    I think I have {disease}, what should I do? | What causes {disease}? |
    is there a vaccine for {disease} | How can I prevent {disease}? | how do I play the {instrument}? |
    Is the {instrument} hard to learn? | how many strings does {a_instrument} have |
    how do I tune {a_instrument}? | Who is the best {instrument} player? |
    What does a good {instrument} cost? | how is {a_instrument} built? |
    which famous songs use the {instrument}? | what does the {body} do? | Why does my {body} hurt? |
    Where is the {body}? | how big is the {body} | what is the function of the {body}? |
    How do I keep my {body} healthy? | can you live without your {body}? |
    what happens if I injure my {body}? | how far away is {planet}? | How hot is it on {planet}? |
    is there life on {planet} | Can people live on {planet}? | who discovered {planet}? |
    How big is {planet}? | how many moons does {planet} have? | What is {planet} made of? |
    how long does it take to fly to {planet}? | what is the chemical symbol of {element}? |
    What is the melting point of {element}? | what is {element} used for | how dense is {element}? |
    Is {element} toxic? | where is {element} mined? | What is the atomic number of {element}? |
    does {element} corrode? | who discovered {element}? | who is {god}? | Which god is {god}? |
    what is {god} the god of | Tell me the myth of {god} | Who were the parents of {god}? |
    is {god} Greek or Roman? | What is the symbol of {god}? | who is stronger, {god} or {god2}? |
    how long is {river}? | Where is {river}? | which countries does {river} touch | How deep is {river}? |
    Who explored {river}? | how was {river} formed? | What can I see at {river}? | who named {river}? |
    who built {landmark}? | How tall is {landmark}? | when was {landmark} built |
    Where can I find {landmark}? | What does it cost to visit {landmark}? | Why was {landmark} built? |
    what are the opening hours of {landmark}? | How old is {landmark}? | write a poem about {topic} |
    Write a story about {topic} | tell me a story about {topic} | compose a song about {topic} |
    Write a haiku about {topic} | give me a quote about {topic} | Write a speech about {topic} |
    make up a rhyme about {topic} | What does it mean to dream about {topic}? |
    can you write a poem about {topic}? | Write an essay on {topic} |
    I need a title for a story about {topic} | draft a letter about {topic} |
    what do philosophers say about {topic}? | write a tweet about {topic} |
    Give me ten ideas for a film about {topic} | where can I buy {trade}? | Which is the best {lang} book? |
    What does {trade} cost? | should I buy {trade} now | recommend {trade} for me |
    How do I choose {trade}? | Is it worth repairing {trade}? | find me {trade} under fifty euros |
    Which brand makes good things like {trade}? | what are my rights with {law}? |
    How do I deal with {law}? | do I need a lawyer for {law} | How long does {law} take? |
    What does the law say about {law}? | Write a letter to my landlord about {law} | who pays for {law}? |
    can I be sued over {law}? | write a {lang} function that {code} | Write a program that {code} |
    how do I write {lang} code that {code}? | give me a {lang} script that {code} |
    Show me {lang} code which {code} | I need a {lang} program. It {code} | what is {lang} used for? |
    How do I install {lang}? | fix my {lang} code | is {lang} better than {lang2}? |
    How long does it take to learn {lang}? | why does my {lang} program crash? |
    What's a closure in {lang}? | how do loops work in {lang} | What is the latest version of {lang}? |
    what is the stock price of {company}? | Should I invest in {company}? | how is {company} doing today |
    Who founded {company}? | Who is the boss of {company}? | How many people work at {company}? |
    what did {company} earn last year? | where is {company} based? | Will {company} go up tomorrow? |
    what's the customer service number of {company} | how do you play {game}? |
    What are the rules of {game}? | who invented {game} | How do I win at {game}? | let's play {game} |
    how many players do you need for {game}? | Is {game} a game of luck? | teach me {game} |
    how is {thing} made? | Who invented {thing}? | where do we get {thing} from | What is {thing} made of? |
    when did people first make {thing}? | Why is {thing} so expensive? | how do I recycle {thing}? |
    Which country makes the most {thing}? | what's the weather in {weather_place}? |
    Will it rain in {weather_place} tomorrow? | how cold is it in {weather_place} now |
    weather {weather_place} | Do I need an umbrella in {weather_place} today? |
    When is the best time to visit {weather_place}? | is it snowing in {weather_place}? |
    weather forecast for {weather_place} | What is there to do in {weather_place}? |
    how do I start with {hobby}? | What do I need for {hobby}? | is {hobby} good for you |
    Tips for {hobby} | how can I get good at {hobby}? | How expensive is {hobby}? | teach me {hobby} |
    Are there courses for {hobby} near me? | how do I {chore}? | How to {chore} |
    what's the best way to {chore}? | Can you show me how to {chore}? | i need to {chore}, any ideas? |
    what do I need to {chore} | why is it so hard to {chore}? | what is {school}? | Explain {school} |
    how do I calculate {school}? | Give an example of {school} | define {school} |
    Who came up with {school}? | Help me understand {school} | what's {school} good for? |
    I have a test on {school} | what is {society}? | Explain {society} to me | is {society} a good thing? |
    Who started {society}? | history of {society} | what do you think of {society}? |
    How does {society} work? | What are the pros and cons of {society}? | when did {society} begin? |
    what's the news about {country}? | What happened in {country} today? | any news on {company}? |
    What is the latest on {society}? | what rhymes with {animal}? | Give me a synonym for {hobby} |
    what is the opposite of {society}? | give me a crossword clue for {element} | what emoji fits {topic}? |
    how many {animal}s are there in {country}? | What is the best {dish} restaurant in {town}? |
    does {person} like {dish}? | Is there {element} on {planet}? |
    who taught {figure} to play the {instrument}? | what did {figure} think of {society}?"""
)

# Sums beyond what the model was taught. {d}: 2 digits, {n}: 3, {big}: 4 to 7.
SUMS: list[str] = phrases(
    """what is {d} times {d2}? | {d} * {d2} | {n} x {d} | what's {n} times {n2} | Multiply {n} by {d} |
    {n} / {d} | {n} divided by {d} | what is {n} divided by {d}? | divide {n} by {d} |
    how much is {d} times {n}? | {d} percent of {n} | what is {d}% of {n}? | {d}% of {big} |
    square root of {n} | what is the square root of {big}? | sqrt({n}) | What is {d} squared? | {d}^{d2} |
    {d} to the power of {d2} | cube root of {n} | what is {d} cubed | log of {n} |
    what is the sine of {d} degrees? | cos({d}) | factorial of {d} | {d}! | {big} + {big2} |
    what is {big} plus {big2}? | {big} - {big2} | add {big} and {big2} | subtract {big} from {big2} |
    {big} minus {n} | {big} * {big2} | {big} divided by {n} | what's the sum of {big} and {big2}? |
    how much is {big} + {n} | calculate {big} + {big2} | solve x + {d} = {n} for x | solve {d}x = {n} |
    if {d}x + {d2} = {n}, what is x? | Solve x^2 - {d}x + {d2} = 0 | factorise {n} |
    what is the greatest common divisor of {n} and {n2}? | least common multiple of {d} and {d2} |
    {n} modulo {d} | {n} mod {d} | what is the remainder of {n} divided by {d}? | integrate x^{d} |
    derivative of {d}x^2 | what is {d} over {d2} as a decimal? | simplify {d}/{n} |
    What is {d}.{d2} times {d3}? | {d}.{d2} + {d3}.{d4} | what is {d} choose {d2}? |
    area of a circle with radius {d} | volume of a cube with side {d} |
    what is the hypotenuse of a triangle with sides {d} and {d2}? | {n} in binary |
    convert {n} to hexadecimal | I earn {big} a month, how much is that a year? |
    compound interest on {big} at {d} percent |
    a shirt costs {d} dollars with {d2} percent off, what do I pay? | split a bill of {n} among {d} people |
    {n} dollars in euros | convert {big} yen to pounds |
    what is the probability of rolling {d} with two dice? | {d} + {d2} * {d3} | ({d} + {d2}) * {d3} |
    what is {d} - {d2} / {d3}? | tip of {d} percent on {n}"""
)

QUESTIONS: list[str] = phrases(
    """who was the first man on the moon? | Why is the sky blue? |
    what's the tallest mountain in the world | How deep is the ocean? | who painted the Last Supper? |
    What is the fastest animal on land? | why do cats purr? | How do planes stay in the air? |
    what is the largest country by area? | Who wrote Romeo and Juliet? | how many bones does a human have |
    Why do leaves change colour in autumn? | what is the longest river on earth? |
    How do I lose weight quickly? | what's a good name for a baby girl | Who discovered penicillin? |
    is there life after death? | What is love? | how do I tell my boss that I quit? | Why do we yawn? |
    Which came first, the chicken or the egg? | what happened on this day in history? |
    How do magnets work? | what makes thunder so loud | Why is the sea salty? | how do bees make honey? |
    Who is the richest person in the world? | what's the most spoken language? |
    how many countries are there | What is the smallest bone in the body? | what should I cook tonight? |
    Can you recommend a good restaurant? | what film should I watch this evening |
    Suggest a present for my mother | what's trending on social media? | Who won the game last night? |
    what are today's headlines | Is it going to rain tomorrow? | how's the traffic right now? |
    What's the exchange rate of the dollar? | where is the nearest petrol station |
    Find me a cheap flight to the sun | Book a table for two tonight | order a pizza for me |
    Call my mother | Set an alarm for seven | remind me to buy milk | Play some jazz | turn off the lights |
    Send a message to my brother | what's on TV tonight? | Open the garage door |
    add eggs to my shopping list | what is the best phone to buy? | Which laptop is good for students? |
    should I rent or buy a flat | How do I get a mortgage? | how do I file my taxes? |
    What is a good salary? | how do I write a CV | Help me prepare for a job interview |
    How do I ask for a raise? | what does this rash on my arm mean? |
    My knee hurts when I run, what is it? | how much water should I drink every day |
    Is coffee bad for me? | how many hours of sleep do I need? | What vitamins should I take? |
    can I take aspirin with alcohol | How do I lower my blood pressure? |
    is it normal to feel dizzy after lunch? | How do vaccines work? | what is a healthy breakfast |
    Are eggs bad for the heart? | how do I get my toddler to sleep? | My dog ate chocolate, what now? |
    why is my plant turning yellow | How often should I walk my dog? | what breed of dog is best for kids? |
    How do I train a puppy? | why does my parrot scream | Which fish can live together in a tank? |
    how do I make friends in a new city? | She does not text back, what should I do? |
    how do I ask someone out | Is long distance love possible? | how do I get over a breakup? |
    What should I wear to a wedding? | how do I tie a tie | Which shoes go with a blue suit? |
    what's the best way to learn the guitar? | How can I improve my memory? |
    how do I stop procrastinating | What is the secret of happiness? | how do I become a millionaire? |
    What is the best investment right now? | explain bitcoin to me | What is inflation? |
    how does a bank make money | who decides interest rates? | What is a hedge fund? |
    why are houses so expensive | How does insurance work? | what is a pyramid scheme? |
    who is the king of England? | Who is the pope? | which party is in power |
    How does a bill become a law? | what is the constitution? | how many stars are in the galaxy? |
    What is a neutron star? | how old is the universe | Will the sun burn out? |
    what is beyond the universe? | how do rockets work in space? | What is a light year? |
    who was the first woman in space | Is time travel possible? | Are aliens real? |
    what is the speed of sound? | How heavy is an elephant? | why do cats land on their feet |
    Do fish sleep? | how do birds find their way? | why are flamingos pink? |
    How do chameleons change colour? | what do pandas eat | Which animal lives the longest? |
    are spiders insects? | how do volcanoes erupt? | What causes earthquakes? | why do we have seasons |
    How are diamonds formed? | what is the ozone layer? | is the earth flat? |
    Why does the moon change shape? | what causes the tides | How far is the horizon? |
    where does gold come from? | what is the hardest material? | How does soap clean? |
    why does iron corrode | What is acid rain? | how is plastic recycled? | what is an atom? |
    How do batteries store energy? | what is electricity made of | Why do onions make you cry? |
    how does a fridge keep cold? | how does a microwave heat food? | What is inside a computer? |
    how does wifi work | What is bluetooth? | who invented the internet? | how do I speed up my laptop? |
    My phone won't charge | how do I take a screenshot | How can I recover a deleted photo? |
    my printer does not print | how do I reset my router? | What is the best antivirus? |
    how do I block a number | How do I unsubscribe from emails? | why is my computer so hot? |
    how do I center a div? | What is a pointer in C? | how do I undo a git commit |
    Write a regex for phone numbers | what is object oriented programming? | how do I learn to code? |
    Explain recursion to a child | write a sorting algorithm for me | Debug this loop for me |
    make me a website | what does HTML stand for? | How do I make an app? | what is a compiler |
    Which programming language should I learn first? | what is a blockchain? | write me a poem |
    Tell me a bedtime story | write a love letter for my wife | Compose a limerick |
    give me a plot for a novel | Write a cover letter |
    finish this story: once upon a time there was a fox | Write a rap about homework |
    make a slogan for my bakery | rewrite this sentence so it sounds polite |
    Correct my grammar: he go to school | what is the past tense of swim | what does serendipity mean? |
    Give me a word that rhymes with month | what is a palindrome | Where does the word robot come from? |
    what is the oldest language? | How do I say I love you in Italian? | translate dog into Spanish |
    What does bonjour mean? | how do I write my name in Arabic? | who built the pyramids? |
    Why did Rome fall? | who was the last emperor of China | When did dinosaurs die out? |
    what was the Cold War about? | who started the first world war? | What did the Vikings eat? |
    how did people live in the Middle Ages | Who invented writing? | when was money invented? |
    who was the first president? | What happened to Atlantis? | did Robin Hood exist |
    Who killed Julius Caesar? | what was the Silk Road? | what is the highest waterfall? |
    Which is the biggest desert? | how many oceans are there | Where is Timbuktu? |
    what is the coldest place on earth? | which country has the most lakes? |
    What is the capital of the moon? | is Africa a country | What's the smallest country in the world? |
    how many states are in the USA? | Which cities have an underground? | what time zone is Alaska in |
    Where can I see the northern lights? | is it better to travel by train or by plane? |
    What should I pack for the beach? | how do I avoid jet lag | Do I need travel insurance? |
    what are the best beaches in Europe? | How much should I tip in a restaurant? |
    can I drink the tap water in Egypt | Where should I go on my honeymoon? |
    who is the best footballer of all time? | What is offside? | how many players are in a rugby team |
    Who won the most gold medals? | how do I run faster? | What muscles do push-ups train? |
    how do I do a handstand | Is yoga good for the back? | what should I eat before a race? |
    who is the best singer in the world? | What is the most watched film ever? |
    who played the first Sherlock Holmes | Which band sold the most records? |
    what is the best book ever written? | Who wrote the Odyssey? | what is a sonnet |
    Recommend a crime novel | how does the last Harry Potter book end? | who composed the Four Seasons? |
    What is the difference between jazz and blues? | how do I read sheet music | What is perfect pitch? |
    how do I make pancakes? | What can I cook with rice and beans? | how long do I boil an egg |
    Is raw fish safe to eat? | why does bread rise? |
    what is the difference between baking soda and baking powder? |
    How do I make coffee without a machine? | can I eat mouldy cheese | what is umami? |
    How do I cook the perfect steak? | what is a substitute for cream | How do I keep lettuce fresh? |
    are mushrooms vegetables? | what is the square root of minus one? |
    Prove that there are infinitely many primes | what is pi | Who proved the last theorem of Fermat? |
    what is seven times eight? | How much is a third of ninety? | what is twelve squared |
    What is the biggest number? | Why can't you divide by zero? | solve this equation for me |
    What is a quadratic equation? | how do I calculate a percentage | Do my homework |
    explain long division | what is the golden ratio? | What are the odds of winning the lottery? |
    give me lottery numbers | Will I be rich one day? | what does my future hold? |
    what is my horoscope for today? | Which zodiac sign am I? | read my palm | What do my dreams mean? |
    is Friday the 13th unlucky? | do ghosts exist? | Is there a god? | what happens when we die |
    What is the soul? | why do bad things happen to good people? | what is right and wrong? |
    Are we living in a simulation? | what is consciousness | Do we have free will? |
    who am I going to marry? | why do people lie? | What makes people laugh? | why do we dream |
    How does hypnosis work? | what is an introvert? | How do I become more confident? | how do I meditate? |
    What is the best colour for a bedroom? | how do I get rid of flies | My sink is blocked |
    how do I remove ink from a shirt? | what's the best mattress? | How do I grow tomatoes on a balcony? |
    when do I plant potatoes | How do I build a birdhouse? | what wood burns best? |
    why does my car make a strange noise? | How do I change the oil? |
    what does the red light on my dashboard mean | Are electric cars better? |
    how do I get a driving licence? | Who has the right of way at a roundabout? | how do I parallel park |
    What is the speed limit in Germany? | can my landlord raise the rent? |
    Is it legal to record a phone call? | how do I sue my neighbour | What is the age of majority? |
    how do I write a will? | What do I do after a car accident? | can I return shoes without a receipt |
    How do I report a scam? | what was the score yesterday? | How many people are on earth right now? |
    who is trending today | What movies are in cinemas? | whats the best pizza topping |
    who is your favorite president | y is grass green | how 2 make money fast | wat is a meme |
    cn u tell me how cars work | who da best rapper | how big is a blue whale | wheres my package |
    is my package arriving today? | what is my bank balance? | Where did I leave my keys? |
    what is my mother's maiden name | How many steps did I walk today? | who called me? | read my emails |
    Check my calendar for conflicts | what did my boss write? | Summarise the meeting from this morning |
    log me in | tell me about world war two | explain the offside rule | Ancient Egypt facts |
    quantum physics please | photosynthesis | Leonardo da Vinci | global warming causes | best laptops |
    cheap hotels | symptoms of stress | funny dog videos | celebrity gossip | football results |
    stock tips | lemon pie recipe | healthy snacks | yoga for beginners | dog names | baby names |
    travel ideas | gift ideas for dad | movie recommendations | home remedies for a cough | how to knit |
    moon landing | history of Rome | solar system | human anatomy |
    What is the difference between a crocodile and an alligator? | how do glasses correct your sight? |
    Who designed the first flag? | What do astronauts eat? | how does a compass know where north is? |
    Why are school buses yellow? | what is the point of taxes? | I want to learn about sharks |
    I'd like to know how cheese is made | tell me who invented pizza |
    do you know why zebras have stripes? | can you tell me who wrote the Bible? |
    I need a recipe with chicken | explain why people fight wars | give me facts about Mars |
    Please write a birthday card for my aunt | I wonder how deep the Pacific is |
    any idea why my milk turned sour?"""
)

# Words of inference engines, meant otherwise.
NEAR_MISSES: list[str] = phrases(
    """what is a cache in a mountain shelter? | How do hikers hide a food cache from bears? |
    where did pirates keep their cache of gold | what is geocaching? |
    how do I page a doctor in a hospital? | How many pages does the longest novel have? |
    who pages through old maps | what does a page at a medieval court do? |
    How do I remove page numbers in my essay? | who sells train tickets in batches? |
    how many cookies fit in one batch? | How do I bake a batch of muffins? |
    what is a batch of beer in a brewery | how do I speculate on shares? |
    Is it wise to speculate on house prices? | what do people speculate about the royal family |
    how do I drain a sink? | how do I drain pasta without a sieve? | Why does my bathtub drain so slowly? |
    what is a draft beer? | How do I stop a draft under the door? | who was first in the basketball draft? |
    was my uncle drafted into the army | How do I draft a contract? | what is a good draft horse? |
    what are the keys of a piano? | How many keys does a church organ have? | where can I copy a house key |
    what is a key in music? | what is the value of an old coin? |
    How do I raise children with good values? | What are family values? | how do I query a parking fine? |
    how do I grab someone's attention at a party? | Why does my child have attention problems? |
    what is attention deficit disorder | how many heads did the Hydra have? |
    what are the heads of state called | How do I get rid of head lice? | How do I build a block of ice? |
    who lives in my apartment block? | what is writer's block? | how do I block my ex on my phone? |
    How much does a block of marble weigh? | what is a token of love? | where do I buy arcade tokens? |
    Which tokens does the laundry machine take? | what is a bus token worth |
    how do I prefix a phone number for abroad? | what is a prefix in grammar? |
    What does the prefix anti mean? | who plays the engine driver in that film? |
    How do I start a diesel engine in winter? | why does my car engine smoke | what is a fire engine? |
    how do I serve tennis balls faster? | How do I serve wine properly? |
    what does a server in a restaurant earn? | Who is first to serve in volleyball? |
    how do I schedule a haircut? | what is the train schedule for Sunday? |
    Who makes the schedule of the league? | how long is the queue at the museum? |
    why do the British like to queue? | what is a queue of cars called? | how do fashion models walk? |
    who is the highest paid model? | how do I build a model ship? | What glue do I need for a model train? |
    what is a role model? | who is a famous plus size model | what is the temperature of the sun? |
    How do I take a baby's temperature? | what temperature should a wine cellar have |
    how do I sample a new perfume? | What happens to my blood sample? | where do rappers find samples? |
    what is a free sample | What is a beam of light made of? | How strong is a steel beam? |
    what wood is used for roof beams? | How do I prune a plum tree? | what does a sparse beard look like? |
    how do I stream films for free? | where does this stream in the forest begin? |
    How do I cross a stream safely? | what is a hot spring stream | what do graphics artists earn? |
    how do I get a memory foam mattress clean? | Why is my memory getting worse? |
    what is my earliest memory? | how do I write my memoirs | what is the weight of a bowling ball? |
    How do I lift weights correctly? | how do I lose the weight of the holidays |
    Which paper weight is best for printing? | How do I join a church choir? |
    who conducts the boys' choir | how much does a ream of paper cost? |
    what is a transformer in a power station? | Which Transformers film came first? |
    how loud is a transformer box | what is a layer cake? | how many layers should I wear in winter? |
    what is the top layer of the soil called? | How do I layer my hair? |
    what is an embedding of jewels in a crown? | how do I evict a tenant? |
    Can my landlord evict me in winter? | what is preemptive war? | who was hit by a preemptive strike? |
    How do I chunk meat for a stew? | what is chunky peanut butter | how do I prefill a fountain pen? |
    how do I decode morse code? | what does the decoder of my TV do? | Who decoded the Rosetta stone? |
    how do I roll out a carpet? | what is a slot machine? | How do I win on a slot machine? |
    what does a hash brown contain? | how do I cook corned beef hash | what's a hash house harrier? |
    What is the fork of a bicycle? | how do I hold a fork at dinner? | What is a snake called python like? |
    how long does a python grow? | who are the Monty Python members? | what is a kernel of corn? |
    how do I pop corn kernels | what is a rank in the army? | How do I climb in rank as a soldier? |
    who was the pipeline built by? | how much oil flows through the pipeline? |
    what is the expert opinion on wine? | How do I become an art expert? |
    what are quantised energy levels in atoms | how is a metric ton of grain shipped? |
    what is a request stop on a bus line? | how do I request a song on the radio? |
    What is the prompt side of a stage? | how does a teleprompter work? |
    what is a prompt payment discount? | what does a nurse do in the sleep lab? |
    where do wakes take place | what is the lookahead of a chess master? | Who invented the stop sign? |
    how do I find a stop for bus nine | what is a logbook on a ship? | how do I light a fire with one log? |
    what is a good seed for birds? | When do I sow lettuce seeds? | who is the top seed at Wimbledon? |
    what is a penalty kick? | How big is the penalty for speeding? | who missed the penalty in the final |
    what is a repetition in the gym?"""
)

# For words that do not exist.
PSEUDO: list[str] = phrases(
    """what is a {made}? | What is {made}? | what's a {made} | who invented the {made}? |
    where can I buy {a_made}? | Tell me about {made} | how do I use a {made}? | How does the {made} work? |
    what does {made} mean? | explain {made} | define {made} | {made}? | what are {made}s? | Who is {Made}? |
    who was {Made} {Made2}? | Where is {Made}? | what is the capital of {Made}? | How do I get to {Made}? |
    do you know what a {made} is? | Have you heard of {made}? | I need information about {made} |
    what do you know about {made}? | is {made} dangerous? | How much does a {made} cost? |
    what is {made} used for | how do I cook {made}? | Can you eat {made}? | why is {made} so popular? |
    when was {made} invented? | What is the difference between {made} and {made2}? |
    what's a {made} {made2}? | the meaning of {made} | who wrote {Made}? | Translate {made} |
    what colour is a {made}? | how big is a {made} | Where do {made}s live? | how do you pronounce {made}? |
    my {made} is broken, what now? | what is the {Made} theorem? | Explain the {Made} effect |
    who discovered the {Made} law? | how do I install {made}? | What does {Made} do? | can I trust {Made}? |
    Is {Made} a real word? | What is {made} in physics? | what is {made} in cooking? |
    When did the {Made} war end? | Recipe for {made} soup | how do I learn {Made}?"""
)
