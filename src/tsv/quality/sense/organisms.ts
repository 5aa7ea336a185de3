/**
 * Common organisms with their taxonomy ids, what else they are called, and ids of their subspecies and best-known
 * strains. Written down by hand; only ids that are certain.
 */
export interface Organism {
  id: number;
  name: string;
  synonyms: readonly string[];
  /** Ids that mean it, too. */
  within: readonly number[];
  /** Any other id is wrong: nobody counts its strains. */
  strict: boolean;
}

/** `id name = synonym, synonym + ids within`. */
const EXACT = `
9606 Homo sapiens = human, humans, man, h. sapiens, hsapiens + 63221 741158
10090 Mus musculus = mouse, house mouse, m. musculus, laboratory mouse + 10091 10092 39442 57486 35531
10116 Rattus norvegicus = rat, brown rat, norway rat, r. norvegicus
7955 Danio rerio = zebrafish, zebra fish, brachydanio rerio, d. rerio
7227 Drosophila melanogaster = fruit fly, d. melanogaster
6239 Caenorhabditis elegans = c. elegans
8355 Xenopus laevis = african clawed frog, x. laevis
8364 Xenopus tropicalis = silurana tropicalis, western clawed frog, x. tropicalis
9913 Bos taurus = cattle, cow, bovine, domestic cow
9823 Sus scrofa = pig, swine, wild boar, domestic pig, sus scrofa domesticus, sus domesticus + 9825
9940 Ovis aries = sheep, domestic sheep
9925 Capra hircus = goat, domestic goat, capra aegagrus hircus
9796 Equus caballus = horse, equus ferus caballus, domestic horse
9615 Canis lupus familiaris = dog, canis familiaris, domestic dog
9612 Canis lupus = wolf, grey wolf, gray wolf + 9615
9685 Felis catus = cat, domestic cat, felis silvestris catus
9986 Oryctolagus cuniculus = rabbit, european rabbit
10141 Cavia porcellus = guinea pig, domestic guinea pig
10036 Mesocricetus auratus = golden hamster, syrian hamster
10029 Cricetulus griseus = chinese hamster
9544 Macaca mulatta = rhesus macaque, rhesus monkey
9541 Macaca fascicularis = crab-eating macaque, cynomolgus monkey, cynomolgus macaque
9598 Pan troglodytes = chimpanzee
9483 Callithrix jacchus = common marmoset, white-tufted-ear marmoset
13616 Monodelphis domestica = gray short-tailed opossum
59729 Taeniopygia guttata = zebra finch
8839 Anas platyrhynchos = mallard
9103 Meleagris gallopavo = turkey, wild turkey
8030 Salmo salar = atlantic salmon
8022 Oncorhynchus mykiss = rainbow trout, salmo gairdneri
8090 Oryzias latipes = medaka, japanese medaka
8128 Oreochromis niloticus = nile tilapia
7962 Cyprinus carpio = common carp
7460 Apis mellifera = honey bee, honeybee, western honey bee
30195 Bombus terrestris = buff-tailed bumblebee
7091 Bombyx mori = silkworm, domestic silkworm
7070 Tribolium castaneum = red flour beetle
7159 Aedes aegypti = yellow fever mosquito, stegomyia aegypti
7160 Aedes albopictus = asian tiger mosquito, stegomyia albopicta
7165 Anopheles gambiae = african malaria mosquito
7668 Strongylocentrotus purpuratus = purple sea urchin
45351 Nematostella vectensis = starlet sea anemone
29159 Crassostrea gigas = magallana gigas, pacific oyster
35525 Daphnia magna
6183 Schistosoma mansoni
3702 Arabidopsis thaliana = thale cress, mouse-ear cress, a. thaliana
4530 Oryza sativa = rice, asian rice + 39946 39947
4577 Zea mays = maize, corn + 381124 76912
4565 Triticum aestivum = wheat, bread wheat, common wheat
4513 Hordeum vulgare = barley + 112509
3847 Glycine max = soybean, soya bean
4081 Solanum lycopersicum = tomato, lycopersicon esculentum
4113 Solanum tuberosum = potato
4097 Nicotiana tabacum = tobacco, common tobacco
4100 Nicotiana benthamiana
3880 Medicago truncatula = barrel medic
29760 Vitis vinifera = grapevine, wine grape
3694 Populus trichocarpa = black cottonwood, populus balsamifera subsp. trichocarpa
3708 Brassica napus = rapeseed, oilseed rape
4558 Sorghum bicolor = sorghum
15368 Brachypodium distachyon = purple false brome
3635 Gossypium hirsutum = upland cotton
3218 Physcomitrium patens = physcomitrella patens
3055 Chlamydomonas reinhardtii
2697049 Severe acute respiratory syndrome coronavirus 2 = sars-cov-2, sars cov 2, 2019-ncov, hcov-19, sars-cov2
408170 human gut metagenome
749906 gut metagenome
410661 mouse gut metagenome
447426 human oral metagenome
539655 human skin metagenome
646099 human metagenome
410658 soil metagenome
939928 rhizosphere metagenome
408172 marine metagenome
449393 freshwater metagenome
527639 wastewater metagenome
256318 metagenome
32630 synthetic construct`;

/** Species whose strains have ids of their own: an unlisted id may be one of them. */
const WITH_STRAINS = `
9031 Gallus gallus = chicken
7719 Ciona intestinalis
4932 Saccharomyces cerevisiae = baker's yeast, brewer's yeast, budding yeast, s. cerevisiae + 559292
4896 Schizosaccharomyces pombe = fission yeast, s. pombe + 284812
5476 Candida albicans = c. albicans
746128 Aspergillus fumigatus = neosartorya fumigata
5141 Neurospora crassa
44689 Dictyostelium discoideum
5833 Plasmodium falciparum = p. falciparum + 36329
5855 Plasmodium vivax = p. vivax
5811 Toxoplasma gondii
5691 Trypanosoma brucei
5693 Trypanosoma cruzi
562 Escherichia coli = e. coli, bacterium coli + 83333 511145 83334 155864 386585 199310 316407
1423 Bacillus subtilis = b. subtilis + 224308
1280 Staphylococcus aureus = s. aureus
1313 Streptococcus pneumoniae = s. pneumoniae
1314 Streptococcus pyogenes
287 Pseudomonas aeruginosa = p. aeruginosa + 208964
1773 Mycobacterium tuberculosis = m. tuberculosis + 83332
28901 Salmonella enterica
573 Klebsiella pneumoniae = k. pneumoniae
1639 Listeria monocytogenes
210 Helicobacter pylori = h. pylori, campylobacter pylori
666 Vibrio cholerae
470 Acinetobacter baumannii
1351 Enterococcus faecalis = streptococcus faecalis
1352 Enterococcus faecium = streptococcus faecium
485 Neisseria gonorrhoeae
487 Neisseria meningitidis
197 Campylobacter jejuni
1496 Clostridioides difficile = clostridium difficile, peptoclostridium difficile, c. difficile
446 Legionella pneumophila
632 Yersinia pestis
727 Haemophilus influenzae
139 Borreliella burgdorferi = borrelia burgdorferi
1590 Lactiplantibacillus plantarum = lactobacillus plantarum
11320 Influenza A virus = influenzavirus a
11676 Human immunodeficiency virus 1 = hiv-1, hiv 1
10407 Hepatitis B virus = hbv
64320 Zika virus = zikv
12637 Dengue virus = denv
10244 Monkeypox virus = mpox virus, mpxv`;

const LINE = /^(\d+) ([^=+]+?)(?: = ([^+]+?))?(?: \+ ([\d ]+))?$/;

const parse = (table: string, strict: boolean): Organism[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [, id, name = '', synonyms, within] = LINE.exec(line) ?? [];
      return {
        id: Number(id),
        name,
        synonyms: synonyms?.split(', ') ?? [],
        within: within?.split(' ').map(Number) ?? [],
        strict,
      };
    });

export const ORGANISMS: readonly Organism[] = [...parse(EXACT, true), ...parse(WITH_STRAINS, false)];

const BY_ID = new Map(ORGANISMS.flatMap((one) => one.within.map((id) => [id, one] as const)));
for (const one of ORGANISMS) BY_ID.set(one.id, one);
const BY_NAME = new Map(
  ORGANISMS.flatMap((one) => [one.name.toLowerCase(), ...one.synonyms].map((name) => [name, one])),
);

/** As names are compared: without case, author or common name in brackets. */
export const foldedName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
    .replace(/ ?\([^)]*\)/g, '')
    .trim();

export const organismOfId = (id: number): Organism | undefined => BY_ID.get(id);

/** The organism of a folded name; `exact` is false of a strain or part of it (`escherichia coli k-12`). */
export function organismNamed(folded: string): { organism: Organism; exact: boolean } | undefined {
  const own = BY_NAME.get(folded);
  if (own) return { organism: own, exact: true };
  // What lives on a dog is none: its own names begin with that of the dog.
  if (folded.endsWith('metagenome')) return undefined;
  for (let at = folded.lastIndexOf(' '); at > 0; at = folded.lastIndexOf(' ', at - 1)) {
    const organism = BY_NAME.get(folded.slice(0, at));
    if (organism) return { organism, exact: false };
  }
  return undefined;
}
