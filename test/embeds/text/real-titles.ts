/**
 * Titles of real prediction markets, by family: a title, and what stands in its place of `{}`, or
 * of `{}` and `[]`. From public copies of Polymarket's and Kalshi's lists: `oct_2025_resolved.csv`,
 * `polymarket_resolved_markets.csv` and `kalshi_active_markets.csv` of
 * github.com/borat14011-sudo/wom-polymarket-strategy, `data/collector` of
 * github.com/svensteiner/polymarket-beobachter. The weights of words were chosen by the families
 * of the first list alone.
 */
type Family = readonly [title: string, names: string, others?: string];

const KNOWN: readonly Family[] = [
  [
    'Will {} win the [] seats in the next Canadian election?',
    "the People's party|another party|the Green Party|Bloc Québécois|the Liberal Party|the New Democratic Party|the Conservative Party",
    'most|second most',
  ],
  [
    'Will {} be the next Prime Minister of Israel?',
    'Naftali Bennett|Yoav Gallant|Yariv Levin|Israel Katz|Benny Gantz|Yair Lapid|Gadi Eisenkot|Yossi Cohen|Avigdor Lieberman|Yair Golan|Itamar Ben-Gvir|Bezalel Smotrich',
  ],
  [
    'Will {} be the first to leave office?',
    'Prime Minister of Canada|President of France|President of the United States|Prime Minister of Italy|Chancellor of Germany|Prime Minister of Japan|Prime Minister of the United Kingdom',
  ],
  [
    'Will {} be a [] for the wedding of Travis Kelce and Taylor Swift?',
    'Jason Kelce|Patrick Mahomes|Aric Jones|Kumar Ferguson|Austin Swift|Harrison Butker|Selena Gomez|Gigi Hadid|Este Haim|Danielle Haim|Alana Haim|Zoë Kravitz|Lana Del Rey|Brittany Mahomes|Kylie Kelce',
    'Groomsman|Bridesmaid',
  ],
  [
    'Will the price of Bitcoin be above {} on []?',
    '$66,000|$68,000|$70,000|$76,000',
    'April 14|April 15|April 17|April 20|May 27',
  ],
  [
    "Will {} be Trump's [] state on March 19?",
    'Arizona|Florida|Kansas|Illinois|Ohio',
    'worst|best',
  ],
  [
    'Will the {} sign Kirk Cousins?',
    'Atlanta Falcons|Las Vegas Raiders|Washington Commanders|New England Patriots|Minnesota Vikings|Denver Broncos',
  ],
  [
    'Will the {} win the 2025 []?',
    'Chicago White Sox|Miami Marlins|Arizona Diamondbacks|Cincinnati Reds|Chicago Cubs|Seattle Mariners|Boston Red Sox|Milwaukee Brewers|Cleveland Guardians|Atlanta Braves|New York Mets|San Francisco Giants|Philadelphia Phillies|Los Angeles Angels|Pittsburgh Pirates|New York Yankees|Kansas City Royals|Athletics|San Diego Padres|Texas Rangers|Detroit Tigers|St. Louis Cardinals|Houston Astros|Baltimore Orioles|Washington Nationals',
    'World Series|National League Championship|American League Championship',
  ],
];

const UNSEEN: readonly Family[] = [
  [
    'Will {} succeed Jamie Dimon as CEO of JPMorgan?',
    'Jennifer Piepszak|Marianne Lake|Doug Petno|Troy Rohrbaugh',
  ],
  [
    'Will {} [] the EU before 2030?',
    'Italy|Germany|France|Spain|Poland|Hungary',
    'vote to leave|hold a referendum on leaving',
  ],
  [
    'Will there be an at least 8.0 magnitude earthquake in {} before []?',
    'Japan|California',
    '2030|2035',
  ],
  [
    'Will {} be the next James Bond?',
    'Aaron Pierre|Aaron Taylor-Johnson|Tom Hardy|Henry Cavill|James Norton|Damson Idris|Richard Madden|Regé-Jean Page|Theo James|Cillian Murphy|Jonathan Bailey|Harris Dickinson|Jack Lowden|Idris Elba|Tom Holland|Jacob Elordi',
  ],
  [
    'Will {} [] the most seats in the Chamber of Deputies following the 2025 Argentina election?',
    'LLA|UCR|PRO|SER|Party A|Party B|Party C|Party D|Party E|Party F|Party G|UP|HNP|FIT-U|another party',
    'win|hold',
  ],
  [
    'Senegal Presidential Election: {} wins?',
    'Another candidate|Amadou Ba|Khalifa Sall|Idrissa Seck|Bassirou Diomaye Faye|Aly Ngouille Ndiaye|Anta Babacar Ngom|Mahammed Dionne',
  ],
  [
    'Will {} become the next leader of the Chinese Communist Party (CCP) before Jan 1, 2045?',
    "Ding Xuexiang|Chen Jining|Li Qiang|Cai Qi|Li Xi|Yin Li|Li Ganjie|Zhao Leji|Wang Huning|He Lifeng|Ma Xingrui|Chen Min'er|Zhang Guoqing|Yin Yong",
  ],
  [
    'Will {} be the next Supreme Leader of Iran?',
    "Mojtaba Khamenei|Hassan Khomeini|Alireza Arafi|Ali Asghar Hejazi|Hashem Hosseini Bushehri|Ahmad Khatami|Sadeq Amoli Larijani|Gholam-Hossein Mohseni-Eje'i|Mohammad Mahdi Mirbagheri|Mohsen Araki|Mohsen Qomi|Position abolished",
  ],
  [
    "Will {} be the world's first trillionaire?",
    'Elon Musk|Larry Ellison|Mark Zuckerberg|Jeff Bezos|Bernard Arnault & family|Warren Buffet|Larry Page|Sergey Brin|Steve Ballmer|Jensen Huang|Sam Altman',
  ],
  [
    'Will {} perform as [] in the next James Bond film?',
    'Ralph Fiennes|Idris Elba|Olivia Colman|Mark Rylance|Charles Dance|Wyatt Russell|Anthony Mackie|Chiwetel Ejiofor|Steven Yeun|Boyd Holbrook|John Hoogenakker|Albert Jones|Aaron Staton|Seth Numrich|Meg Bellamy|Jodie Comer|Phoebe Dynevor|Emma Corrin',
    'M|Felix Leiter|Moneypenny',
  ],
  [
    'Will the U.S. State Department issue a Level 4 warning for Taiwan before {}?',
    'Jul 1, 2026|Jan 1, 2027|Jan 1, 2028|Jan 1, 2029|Jan 1, 2030',
  ],
  [
    'Will {} win the Mississippi Republican Senate Primary?',
    'Ghannon Burton|Dan Eubanks|Roger Wicker|another candidate',
  ],
  [
    'Will 2026 be the {} year on record?',
    'hottest|second-hottest|third-hottest|fourth-hottest|fifth-hottest',
  ],
  ['Will a {} win Michigan US Senate Election?', 'Democrat|Republican'],
  [
    '{}',
    "Will the world pass 2 degrees Celsius over pre-industrial levels before 2050?|Will a human land on Mars before California starts high-speed rail?|Will a humanoid robot walk on Mars before a human does?|Will a supervolcano erupt before 2050?|Will Elon Musk visit Mars before Aug 1, 2099?|Will the DOJ win their antitrust lawsuit against Live Nation before Jan 1, 2030?|Will the National Popular Vote Interstate Compact reach 270 electoral votes before 2030?|Will the US start the process of building a nuclear-powered data center on a military base before 2030?|Will a ballot initiative on California secession qualify for a vote before 2030?|When will Karl Bushby reach his home of Hull, England from his walk around the world before 2030?|How bad will CO2 atmospheric concentration get before 2030?|How much will a Fyre Festival 2 General Admission Ticket cost?|Will the US government take control of any AI company or project before 2030?|Will LeBron James be a majority owner of a pro men's basketball team before 2030?|Will SpaceX land anything on Mars before 2030?|When will IShowSpeed reach 100 million Youtube subscribers?|Will the Portland Trailblazers be bought and become the Seattle SuperSonics?|Conservatives win majority in Canadian election?|Will the highest temperature in Austin be between 82-83°F on April 29?|Will the highest temperature in Wellington be 10C on August 19?",
  ],
];

export const KNOWN_TITLES = titlesOf(KNOWN);
export const UNSEEN_TITLES = titlesOf(UNSEEN);

function titlesOf(families: readonly Family[]): string[] {
  return families.flatMap(([title, names, others = '']) =>
    names
      .split('|')
      .flatMap((name) =>
        others.split('|').map((other) => title.replace('{}', name).replace('[]', other)),
      ),
  );
}
