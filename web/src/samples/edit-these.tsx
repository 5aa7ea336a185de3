import { Button } from '@mantine/core';
import { PencilIcon } from 'lucide-react';
import { Link } from 'wouter';
import { query } from '../api/request.js';
import type { SampleSearch } from '../api/samples.js';
import { useMe } from '../session/session.js';
import { counted } from '../show/words.js';

/** To the form that changes the chosen samples alike, or all that the search finds; for those who have samples. */
export function EditThese({ text, filters, chosen }: SampleSearch & { chosen: ReadonlySet<string> }) {
  const me = useMe();
  if (!me.data) return null;
  const some = chosen.size > 0;
  const href = `/samples/edit${query(some ? { chosen: 'true' } : { text, filter: filters })}`;
  return (
    <Button component={Link} href={href} variant="default" leftSection={<PencilIcon size={18} aria-hidden />}>
      {some ? `Edit ${counted(chosen.size, 'chosen sample')}…` : 'Edit all…'}
    </Button>
  );
}
