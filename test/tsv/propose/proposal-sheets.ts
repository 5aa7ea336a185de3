/**
 * Sheets of different kinds as laboratories have them, made for the tests, with what each column should be taken for. A
 * line of a sheet: header = target; values below each other in the rows. Targets are written as `targetOf` writes them.
 */

export interface ProposalSheet {
  kind: string;
  /** Header and target of each column. */
  columns: [header: string, target: string][];
  rows: string[][];
  /** Rows above the header. */
  above?: string[][];
  delimiter?: string;
  /** A sign in the cells above, and what it stands for: vertical bars part the cells here. */
  inCells?: [sign: string, meant: string];
}

const sheet = (kind: string, columns: string, rows: string, more: Partial<ProposalSheet> = {}): ProposalSheet => ({
  kind,
  columns: columns.split('|').map((each) => {
    const [header = '', target = ''] = each.split('=>').map((text) => text.trim());
    return [header, target || `characteristic ${header}`];
  }),
  rows: rows
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim())),
  ...more,
});

export const PROPOSAL_SHEETS: readonly ProposalSheet[] = [
  sheet(
    'freezer export',
    'Tube=>name|organ|site|Frozen on=>characteristic Frozen on DD.MM.YYYY|Box|Position',
    'T-1|liver|Bergen|21.03.2024|B1|A1\nT-2|kidney|Oslo|22.03.2024|B1|A2\nT-3|liver|Oslo|02.04.2024|B2|A1',
  ),
  sheet(
    'German LIMS export',
    'Lfd. Nr.=>ignored|Proben-Nr.=>name|Spezies=>characteristic organism|Gewebe=>characteristic tissue|Geschlecht=>characteristic sex values|Alter (Jahre)=>characteristic age unit year|Gewicht (kg)=>characteristic Gewicht unit kg decimal|Entnahmedatum=>characteristic collection date DD.MM.YYYY|Bemerkung=>comment',
    '1|P-001|Bos taurus|Leber|m|3|412,5|31.12.2023|ok\n2|P-002|Bos taurus|Niere|w|5|398,25|01.02.2024|\n3|P-003|Bos taurus|Herz|w|4|401,1|13.02.2024|klein',
    { delimiter: ';' },
  ),
  sheet(
    'US clinic',
    'Specimen ID=>name|Gender=>characteristic sex values|Age=>characteristic age|Collected On=>characteristic collection date MM/DD/YYYY|Diagnosis|Notes=>comment',
    'S1|M|54|12/31/2023|T2D|\nS2|F|61|01/15/2024|none|late\nS3|F|47|02/28/2024|T2D|',
  ),
  sheet(
    'UK clinic',
    'sample_id=>name|sex=>characteristic sex values|date_of_sampling=>characteristic collection date DD/MM/YYYY|smoker|bmi',
    'a1|M|21/11/2023|yes|22.4\na2|F|03/12/2023|no|31.0\na3|F|30/01/2024|no|27.9',
  ),
  sheet(
    'dates that do not say which is the day',
    'sample=>name|tissue=>characteristic tissue|collection_date=>characteristic collection date',
    'x1|blood|03/04/2024\nx2|blood|05/06/2024\nx3|blood|07/08/2024',
  ),
  sheet(
    'soil cores',
    'Core ID=>name|Depth [m]=>characteristic Depth unit m|pH|Temp_C|Moisture (%)=>characteristic Moisture unit %|Latitude|Longitude',
    'C1|0.5|6.1|4.5|22|60.1|10.2\nC2|1.0|6.4|4.1|25|60.2|10.3\nC3|2.5|6.9|3.9|31|60.4|10.4',
  ),
  sheet(
    'sea water',
    'Station-Cast=>name|depth_m=>characteristic depth unit m|Salinity (PSU)=>characteristic Salinity unit PSU|Oxygen, ml=>characteristic Oxygen unit ml|Sampling date=>characteristic collection date|Cruise',
    'ST1-1|5|34.1|5.1|2024-05-01|M12\nST1-2|50|34.9|4.8|2024-05-01|M12\nST2-1|5|33.8|5.3|2024-05-02|M12',
  ),
  sheet(
    'value, unit and term columns',
    'specimen name=>name|organism=>characteristic organism|organism term=>term organism|weight|weight unit=>unit weight|disease|disease ontology id=>term disease',
    's1|Homo sapiens|NCBITaxon:9606|70|kg|asthma|MONDO:0004979\ns2|Homo sapiens|NCBITaxon:9606|81|kg|healthy|PATO:0000461',
  ),
  sheet(
    'unit to the right',
    'Sample=>name|Height|Unit=>unit|Mass|Units=>unit|Species=>characteristic organism',
    'p1|12|cm|3.5|g|Zea mays\np2|15|cm|4.1|g|Zea mays\np3|11|cm|2.9|g|Zea mays',
  ),
  sheet(
    'family study',
    'Sample Code=>name|Individual|Mother=>relationship child of|Father=>relationship child of|Sex=>characteristic sex values|Birth date=>characteristic Birth date',
    'K1|I1|||F|1980-02-03\nK2|I2|||M|1979-05-01\nK3|I3|K1|K2|F|2010-07-09',
  ),
  sheet(
    'aliquots',
    'Sample Name=>name|Parent sample=>relationship derived from|Volume (µl)=>characteristic Volume unit µl|Release Date=>release',
    'mother|||2024-01-01\nali-1|mother|50|2024-01-01\nali-2|mother|50|2024-01-01',
  ),
  sheet(
    'parents that are not in the sheet',
    'sample id=>name|parent=>characteristic parent|passage',
    'c1|HeLa stock 4|3\nc2|HeLa stock 4|4\nc3|HEK stock 1|9',
  ),
  sheet(
    'pathogens',
    'Isolate=>name|Organism=>characteristic organism|TaxID=>term organism|Host|Isolation source=>characteristic isolation source|Country|Collected by=>characteristic collected by|collection date=>characteristic collection date',
    'iso-1|Salmonella enterica|28901|Gallus gallus|faeces|Norway|Lab 1|2024-02-01\niso-2|Salmonella enterica|28901|Homo sapiens|blood|Sweden|Lab 1|2024-02-11',
  ),
  sheet(
    'taxon ids alone',
    'library=>name|taxon_id=>term organism|strain|Read count',
    'L1|562|K-12|120033\nL2|562|B|99313\nL3|1280|N315|88221',
  ),
  sheet(
    'plant phenotypes',
    'plant id=>name|species=>characteristic organism|cultivar|sowing date=>characteristic sowing date DD-MMM-YYYY|height in cm=>characteristic height unit cm|leaf count',
    'pl1|Triticum aestivum|Bezostaya|05-Mar-2024|81|12\npl2|Triticum aestivum|Saratov|05-Mar-2024|77|11\npl3|Triticum durum|Melanopus|07-Mar-2024|69|13',
  ),
  sheet(
    'plate layout',
    'Plate=>name|Well=>name|Treatment|Concentration (mM)=>characteristic Concentration unit mM',
    'P1|A1|control|0\nP1|A2|drug|1\nP2|A1|control|0\nP2|A2|drug|5',
  ),
  sheet(
    'donors and visits',
    'Donor=>name|Visit=>name|BMI|Blood pressure (mmHg)=>characteristic Blood pressure unit mmHg',
    'D1|1|22.1|120\nD1|2|22.4|118\nD2|1|30.2|141\nD2|2|29.9|138',
  ),
  sheet(
    'column without a header',
    'probe=>name|Gewebe=>characteristic tissue|=>nothing|pH-Wert=>characteristic pH-Wert decimal',
    'a|Blut|x|7,4\nb|Blut||7,35\nc|Leber|x|7,2',
    { delimiter: ';' },
  ),
  sheet(
    'titles above the header',
    'Sample label=>name|Site|Habitat|Count',
    'l1|North|forest|12\nl2|North|meadow|7\nl3|South|forest|9',
    { above: [['Survey 2024'], [], ['made by lab 4', '']] },
  ),
  sheet(
    'Spanish field sheet',
    'ID muestra=>name|Especie=>characteristic organism|Sexo=>characteristic sex|Edad=>characteristic age|Fecha de muestreo=>characteristic collection date DD/MM/YYYY|Observaciones=>comment',
    'm1|Lynx pardinus|macho|3|14/02/2024|\nm2|Lynx pardinus|hembra|5|28/02/2024|cojea',
  ),
  sheet(
    'French field sheet',
    "Nom de l'échantillon=>name|Espèce=>characteristic organism|Sexe=>characteristic sex|Profondeur (m)=>characteristic Profondeur unit m decimal",
    'e1|Pinus nigra|inconnu|1,5\ne2|Pinus nigra|inconnu|2,25\ne3|Pinus nigra|inconnu|0,5',
    { delimiter: ';' },
  ),
  sheet(
    'addresses of images',
    'barcode=>name|Image URL=>reference|staining',
    'bc1|https://images.example.org/1|HE\nbc2|https://images.example.org/2|HE',
  ),
  sheet(
    'ENA-like with own words',
    'alias=>name|title|scientific_name=>characteristic organism|tax_id=>term organism|geographic location (country and/or sea)|host subject id',
    'w1|Water 1|freshwater metagenome|449393|Norway|h1\nw2|Water 2|freshwater metagenome|449393|Norway|h2',
  ),
  sheet(
    'NCBI package',
    '*sample_name=>name|*organism=>characteristic organism|strain|isolation_source=>characteristic isolation source|*collection_date=>characteristic collection date|host_sex=>characteristic host sex',
    'n1|Escherichia coli|K-12|urine|2022-01-03|female\nn2|Escherichia coli|B|urine|2022-02-03|male',
  ),
  sheet(
    'proteomics table of sources',
    'Sample Name=>name|Characteristics[organism]=>characteristic organism|Term Source REF=>source|Term Accession Number=>term|instrument|label',
    'r1|Mus musculus|NCBITaxon|NCBITaxon:10090|QE|TMT126\nr2|Mus musculus|NCBITaxon|NCBITaxon:10090|QE|TMT127',
  ),
  sheet(
    'two headers for names',
    'Sample ID=>characteristic Sample ID|Sample Name=>name|organ',
    '1001|liver a|liver\n1002|liver b|liver\n1003|kidney a|kidney',
  ),
  sheet(
    'export of a data frame',
    'Unnamed: 0=>ignored|id=>name|group|response|timepoint (hours)=>characteristic timepoint unit hour',
    '0|r-1|a|1.2|0\n1|r-2|a|1.9|24\n2|r-3|b|0.7|0',
  ),
  sheet(
    'numbers with commas of both kinds',
    'tube id=>name|cells|volume=>characteristic volume decimal|batch',
    't1|1,200|0,5|x\nt2|3,450|0,75|x\nt3|2,100|1,25|y',
    { delimiter: '\t' },
  ),
  sheet(
    'water quality with times',
    'Sample_ID=>name|Sampled at=>characteristic Sampled at DD.MM.YYYY hh:mm|Nitrate (mg/l)=>characteristic Nitrate unit mg/l|Turbidity [NTU]=>characteristic Turbidity unit NTU|temperature °C=>characteristic temperature unit °C',
    'q1|13.05.2024 08:30|1.2|4|11\nq2|14.05.2024 09:15|1.4|5|12',
  ),
  sheet(
    'accessions elsewhere',
    'our id=>name|BioSample|ENA run|embargo until=>release|consent',
    'z1|SAMEA100|ERR1|2030-01-01|yes\nz2|SAMEA101|ERR2|2030-01-01|yes',
  ),
  sheet(
    'Darwin Core occurrences',
    'catalogNumber=>name|scientificName=>characteristic organism|sex|eventDate|decimalLatitude|decimalLongitude|country|recordedBy|individualCount',
    'ZMB-1|Parus major|female|2024-05-01|60.1|10.2|Norway|A. Lund|1\nZMB-2|Parus major|male|2024-05-02|60.2|10.3|Norway|A. Lund|1\nZMB-3|Sitta europaea|female|2024-05-02|60.4|10.4|Norway|B. Moe|2',
  ),
  sheet(
    'GEO metadata template',
    '*library name=>name|*title=>characteristic title|*organism=>characteristic organism|*tissue=>characteristic tissue|*genotype=>characteristic genotype|*molecule=>characteristic molecule',
    'lib1|WT liver 1|Mus musculus|liver|WT|polyA RNA\nlib2|KO liver 1|Mus musculus|liver|KO|polyA RNA',
  ),
  sheet(
    'run table of an archive',
    'Run|BioSample|Organism=>characteristic organism|Sample Name=>name|AvgSpotLen|Collection_Date=>characteristic collection date|geo_loc_name|isolation_source=>characteristic isolation source',
    'SRR1,SAMN1,Escherichia coli,e1,302,2019-04-01,USA,stool\nSRR2,SAMN2,Escherichia coli,e2,302,2019-05-01,USA,stool'.replaceAll(
      ',',
      '|',
    ),
    { delimiter: ',' },
  ),
  sheet(
    'mouse colony',
    'Animal ID=>name|Strain=>characteristic strain|Sex=>characteristic sex values|DOB=>characteristic DOB DD/MM/YYYY|Genotype|Sire=>relationship child of|Dam=>relationship child of|Cage|Weight (g)=>characteristic Weight unit g',
    'A1|C57BL/6|M|21/01/2024|wt|||C1|24.1\nA2|C57BL/6|F|22/01/2024|het|||C1|21.3\nA3|C57BL/6|F|30/04/2024|het|A1|A2|C2|19.8',
  ),
  sheet(
    'biobank',
    'Sample barcode=>name|Donor pseudonym|Material|Volume [µl]=>characteristic Volume unit µl|Storage temperature (°C)=>characteristic Storage temperature unit °C|Consent|Collected on=>characteristic collection date DD.MM.YYYY|Aliquot of=>relationship derived from',
    'B1|P7|plasma|500|-80|yes|14.02.2024|\nB2|P7|plasma|250|-80|yes|14.02.2024|B1\nB3|P9|serum|500|-80|no|15.02.2024|',
  ),
  sheet(
    'single-cell libraries',
    'library_id=>name|species=>characteristic organism|tissue=>characteristic tissue|chemistry|target_cells|donor_age_years=>characteristic donor_age unit year',
    'X1|Homo sapiens|lung|3p v3|5000|61\nX2|Homo sapiens|lung|3p v3|5000|47\nX3|Homo sapiens|liver|3p v3|10000|58',
  ),
  sheet(
    'tick pools',
    'Pool No.=>name|Date collected=>characteristic collection date|Locality|Lat|Long|Ticks per pool|Species=>characteristic organism',
    '1|2024-05-01|Wald A|48.1|11.5|10|Ixodes ricinus\n2|2024-05-01|Wald A|48.1|11.5|10|Ixodes ricinus\n3|2024-05-03|Wald B|48.3|11.7|8|Ixodes ricinus',
  ),
  sheet(
    'Italian food laboratory',
    'Codice campione=>name|Matrice|Data prelievo=>characteristic collection date DD/MM/YYYY|Temperatura (°C)=>characteristic Temperatura unit °C decimal|Note=>comment',
    'C1;latte;21/03/2024;4,5;\nC2;latte;22/03/2024;4,25;aperto\nC3;carne;22/03/2024;3,5;'.replaceAll(';', '|'),
    { delimiter: ';' },
  ),
  sheet(
    'clinical table of a tumour atlas',
    'bcr_patient_barcode=>name|gender=>characteristic sex values|age_at_diagnosis|vital_status|tumor_stage|days_to_death',
    'TCGA-01|MALE|61|Dead|III|411\nTCGA-02|FEMALE|47|Alive|I|\nTCGA-03|FEMALE|70|Alive|II|',
  ),
  sheet(
    'injection list of a mass spectrometer',
    'File Name|Sample Name=>name|Sample Type|Injection volume (uL)=>characteristic Injection volume unit uL|Injection order|Batch',
    'f1.raw|s1|sample|5|1|b1\nf2.raw|s2|sample|5|2|b1\nf3.raw|qc1|QC|5|3|b1',
  ),
  sheet(
    'dump of a laboratory database',
    'LabNo|SampleName=>name|Tissue=>characteristic tissue|Organism=>characteristic organism|Volume (ml)=>characteristic Volume unit ml decimal',
    '1000|S0|liver|Mus musculus|0,5\n1001|S1|lung|Mus musculus|1,5\n1002|S2|liver|Mus musculus|12,25',
    { delimiter: '|' },
  ),
  sheet(
    'values parted by bars in a comma file',
    'sample=>name|genes|organism=>characteristic organism',
    'a1|BRCA1#TP53#KRAS#MYC|Homo sapiens\na2|BRCA2#EGFR#KRAS#MYC|Homo sapiens',
    { delimiter: ',', inCells: ['#', '|'] },
  ),
  sheet(
    'probe of a buoy with its units below the header',
    'sample=>name|collection date=>characteristic collection date|depth|temperature|organism=>characteristic organism',
    '|yyyy-mm-dd|m|°C|\nST0|2024-05-01|0|4.0|seawater metagenome\nST1|2024-05-02|10|4.1|seawater metagenome\nST2|2024-05-03|20|4.2|seawater metagenome',
    { delimiter: ',' },
  ),
  sheet(
    'metadata template of GEO',
    'Sample name=>name|title|organism=>characteristic organism|characteristics: strain=>characteristic strain|characteristics: age=>characteristic age|molecule',
    'Sample 1|liver 1|Mus musculus|C57BL/6|6 weeks|total RNA\nSample 2|liver 2|Mus musculus|C57BL/6|7 weeks|total RNA',
    { above: [['SAMPLES']] },
  ),
  sheet(
    'ringing list with numbers for names',
    'id=>name|species=>characteristic organism|site|mass',
    '1|Parus major|A|15.1\n2|Parus major|B|15.4\n3|Parus major|A|16.0',
    { delimiter: ',' },
  ),
];
