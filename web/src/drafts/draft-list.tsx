import { Menu } from '@mantine/core';
import { PencilIcon } from 'lucide-react';
import { useLocation } from 'wouter';
import { ago } from '../show/words.js';
import { useDrafts } from './use-draft.js';

/** In the menu of the account: what was begun and not sent, each leading back to its view. */
export function DraftList() {
  const drafts = useDrafts();
  const [, go] = useLocation();
  if (drafts.length === 0) return null;
  return (
    <>
      <Menu.Divider />
      <Menu.Label c="dimmed">Drafts, not sent yet</Menu.Label>
      {drafts.map(({ key, title, path, changed }) => (
        <Menu.Item key={key} leftSection={<PencilIcon size={16} />} onClick={() => go(path)}>
          <span className="name">{title}</span> · {ago(changed)}
        </Menu.Item>
      ))}
    </>
  );
}
