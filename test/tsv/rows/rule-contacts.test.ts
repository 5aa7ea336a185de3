import { describe, expect, it } from 'vitest';
import { readSheet, table } from '../read-sheet.js';

async function content(header: string[], row: string[]) {
  const { samples } = await readSheet(table(['Sample Name', 'Release Date', ...header], ['a', '2024-05-01', ...row]));
  const { contact, organization, publications, externalReferences } = samples[0]!.content;
  return JSON.parse(JSON.stringify({ contact, organization, publications, externalReferences })) as unknown;
}

const NONE = { contact: [], organization: [], publications: [], externalReferences: [] };

describe('contacts, organizations, publications and references', () => {
  it('members keep the names they are given', async () => {
    expect(
      await content(
        [
          'Comment[submission_contact:email]',
          'Comment[submission_organization:Name]',
          'Comment[publication:doi]',
          'Comment[external DB REF]',
        ],
        ['a@b.org', 'EMBL-EBI', '10.1/x', 'https://x.org/1'],
      ),
    ).toEqual({
      contact: [{ email: 'a@b.org' }],
      organization: [{ Name: 'EMBL-EBI' }],
      publications: [{ doi: '10.1/x' }],
      externalReferences: [{ url: 'https://x.org/1' }],
    });
  });

  it('repeated groups pair by adjacency', async () => {
    const contact = (member: string) => `Comment[submission_contact:${member}]`;
    const header = [contact('email'), contact('name'), contact('email'), contact('name')];
    expect(await content(header, ['1@x', 'one', '2@x', ''])).toEqual({
      ...NONE,
      contact: [{ email: '1@x', name: 'one' }, { email: '2@x' }],
    });
    const parted = [contact('email'), 'Characteristics[x]', contact('name'), contact('email')];
    expect(await content(parted, ['1@x', 'v', 'two', '2@x'])).toEqual({
      ...NONE,
      contact: [{ email: '1@x' }, { name: 'two', email: '2@x' }],
    });
  });

  it('members that stand apart but never repeat are one record', async () => {
    const header = ['Comment[publication:doi]', 'Characteristics[x]', 'Comment[publication:pubmed_id]'];
    expect(await content(header, ['10.1/x', 'v', '123'])).toEqual({
      ...NONE,
      publications: [{ doi: '10.1/x', pubmed_id: '123' }],
    });
  });

  it('blank cells give nothing, whole blank groups no record', async () => {
    const header = [
      'Comment[submission_contact:email]',
      'Comment[submission_contact:name]',
      'Comment[external DB REF]',
      'Comment[external_db_ref]',
    ];
    expect(await content(header, [' ', '', '', 'https://x.org/2'])).toEqual({
      ...NONE,
      externalReferences: [{ url: 'https://x.org/2' }],
    });
  });

  it('a member may be called anything', async () => {
    expect(await content(['Comment[submission_contact:__proto__]'], ['x'])).toEqual({
      ...NONE,
      contact: [JSON.parse('{"__proto__":"x"}')],
    });
  });
});
