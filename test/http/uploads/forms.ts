/** Tables to upload and forms that carry them, spelt part by part. */
let sheets = 0;

/** A table that was never uploaded before. */
export function sheet(rows = 2, release = true): string {
  sheets += 1;
  const lines = Array.from({ length: rows }, (_, at) =>
    [`f${sheets}-${at}`, 'Homo sapiens', ...(release ? ['2020-01-01'] : [])].join('\t'),
  );
  const header = ['Sample Name', 'Characteristics[organism]', ...(release ? ['Release Date'] : [])].join('\t');
  return `${header}\n${lines.join('\n')}\n`;
}

export type Part = [name: string, value: string | { fileName: string; content: string }];

export const file = (content: string, fileName = 'samples.tsv'): Part => ['file', { fileName, content }];

/** A multipart body with its parts in exactly this order. */
export function form(...parts: Part[]): { headers: Record<string, string>; body: string } {
  const boundary = 'test-boundary-7e1c';
  const spelt = parts.map(([name, value]) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
    return typeof value === 'string'
      ? `${head}\r\n\r\n${value}\r\n`
      : `${head}; filename="${value.fileName}"\r\nContent-Type: text/plain\r\n\r\n${value.content}\r\n`;
  });
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${spelt.join('')}--${boundary}--\r\n`,
  };
}
