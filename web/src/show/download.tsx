import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { address } from '../api/request.js';

/** A quiet link that saves what the service prints at that path. */
export function DownloadLink({ path, name, children }: { path: string; name?: string; children: string }) {
  return (
    <Anchor href={address(path)} download={name ?? ''} size="sm" style={{ whiteSpace: 'nowrap' }}>
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
    <Button
      component="a"
      href={address(path)}
      download={name ?? ''}
      leftSection={<IconDownload size={18} aria-hidden />}
      {...rest}
    >
      {children}
    </Button>
  );
}
