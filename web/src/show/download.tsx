import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { DownloadIcon } from 'lucide-react';
import type { MouseEvent } from 'react';
import { signedInAccount } from '../api/ended-session.js';
import { saveAddress, sessionHolds } from '../api/files.js';
import { ApiProblem, address } from '../api/request.js';

/** A browser that saves a file shows nothing of a refusal, so the session is asked after first. */
const saving =
  (path: string, name = '') =>
  (event: MouseEvent<HTMLAnchorElement>): void => {
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!plain || signedInAccount() === undefined) return;
    event.preventDefault();
    sessionHolds().then(
      () => saveAddress(address(path), name),
      (error) => {
        // Who does not sign in again gets no file; of anything else that is wrong the browser says itself that it has none.
        if (!(error instanceof ApiProblem && error.status === 401)) saveAddress(address(path), name);
      },
    );
  };

/** What makes a link one that saves what the service prints at that path, in whatever it stands. */
export const savedLink = (path: string, name?: string) => ({
  href: address(path),
  download: name ?? '',
  onClick: saving(path, name),
});

/** A quiet link that saves what the service prints at that path. */
export function DownloadLink({ path, name, children }: { path: string; name?: string; children: string }) {
  return (
    <Anchor {...savedLink(path, name)} size="sm" style={{ whiteSpace: 'nowrap' }}>
      {children}
    </Anchor>
  );
}

interface DownloadButtonProps extends ButtonProps {
  path: string;
  name?: string;
  children: string;
}

export function DownloadButton({ path, name, children, ...rest }: DownloadButtonProps) {
  return (
    <Button component="a" {...savedLink(path, name)} leftSection={<DownloadIcon size={18} aria-hidden />} {...rest}>
      {children}
    </Button>
  );
}
