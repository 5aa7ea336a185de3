import { ActionIcon } from '@mantine/core';
import { CircleQuestionMarkIcon } from 'lucide-react';
import { useLocation } from 'wouter';
import { helpOf } from './help-topics.js';

/** Leads to what the help says of this view. */
export function HelpLink() {
  const [location] = useLocation();
  return (
    <ActionIcon
      component="a"
      href={`../help/guide#${helpOf(location)}`}
      target="_blank"
      rel="noopener"
      variant="subtle"
      color="gray"
      aria-label="Help for this view (opens in a new tab)"
    >
      <CircleQuestionMarkIcon size={20} aria-hidden />
    </ActionIcon>
  );
}
