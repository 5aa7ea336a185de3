/** SQL: which upload came later into a key space than submission `p` and must not be set back (submissions/newer-uploads.ts). */
import { comesBefore } from './claim-rules.js';

/** How a store spells an option of the submission called `name`, as text, and the id that is asked about. */
export interface Spelling {
  option(name: string, ...path: string[]): string;
  asked: string;
}

const inTheSpace = 'from submission p join submission c on c.account = p.account and c.key_space = p.key_space';

const stands = ({ option }: Spelling): string =>
  `not exists (select 1 from submission u where u.account = c.account and u.sha256 = c.sha256
     and ${option('u', 'undoOf')} = c.uuid and u.state not in ('FAILED', 'CANCELLED'))`;

export const newerCommit = (spelling: Spelling): string => `select c.uuid ${inTheSpace}
    and c.id > p.id and c.state not in ('FAILED', 'CANCELLED') and ${spelling.option('c', 'standing')} is not null
  join submission q on q.uuid = ${spelling.option('c', 'commitOf', 'submissionId')} and q.id > p.id
  where p.uuid = ${spelling.asked} and ${stands(spelling)} order by c.id desc limit 1`;

/** What still waits has its turn behind `p`; what is worked on writes beside it. */
export const newerRows = (spelling: Spelling): string => `select c.uuid ${inTheSpace}
    and c.id >= coalesce(p.turn_of, p.id) and ${comesBefore('p', 'c')}
    and (c.rows_created + c.rows_updated + c.rows_unchanged > 0 or (c.state = 'ACTIVE' and c.worker is not null))
  where p.uuid = ${spelling.asked} and ${['p', 'c'].map((name) => writesRows(name, spelling)).join(' and ')}
    and ${stands(spelling)} order by c.id desc limit 1`;

const writesRows = (name: string, { option }: Spelling): string =>
  `not ${name}.dry_run and ${option(name, 'undoOf')} is null`;
