/** One table, as it is meant, whatever it is saved as. test/workbooks/made-by-libreoffice/table.xlsx holds the same. */
export const TABLE: string[][] = [
  [
    'Sample Name',
    'Release Date',
    'Characteristics[organism]',
    'Characteristics[plate]',
    'Characteristics[dose]',
    'Unit',
    'Characteristics[note]',
  ],
  ['A-1', '2024-01-31', 'Homo sapiens', '00042', '1.5', 'µg', 'plain'],
  ['B 2', '2024-02-29', 'Mus musculus', '00007', '0.1', 'mg', 'comma, semicolon; both'],
  ['C"3"', '2023-12-01', 'Bôs taurus', '12345', '', '', '5" pipe'],
  ['D', '2024-01-31', 'Œnothera', '99999', '-2', '°C', '"wholly quoted"'],
  ['', '', '', '', '', '', ''],
  ['E', '2024-01-31', 'Zea mays', '', '', '', 'two\nlines'],
  ['F', '2024-01-31', 'Zea mays', '00001', '3', 'mg', ''],
];
