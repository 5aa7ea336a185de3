/** Takes a Content-Type header apart. Names are lower case, values as sent without their quotes. */
export interface MediaType {
  type: string;
  parameters: Record<string, string>;
}

export function mediaType(header: string | undefined): MediaType {
  const [type = '', ...rest] = (header ?? '').split(';');
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const part of rest) {
    const at = part.indexOf('=');
    if (at > 0)
      parameters[part.slice(0, at).trim().toLowerCase()] = part
        .slice(at + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1');
  }
  return { type: type.trim().toLowerCase(), parameters };
}
