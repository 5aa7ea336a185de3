import { Button, type ButtonProps } from '@mantine/core';

interface SpentButtonProps extends ButtonProps {
  /** There is nothing to press it for, perhaps because it was pressed. */
  spent: boolean;
  'aria-label'?: string;
  onClick: () => void;
}

/** A button whose own press may leave it nothing to do: it keeps the focus then, which a disabled one would lose. */
export function SpentButton({ spent, onClick, ...rest }: SpentButtonProps) {
  return (
    <Button
      {...rest}
      data-disabled={spent || undefined}
      aria-disabled={spent || undefined}
      onClick={() => {
        if (!spent) onClick();
      }}
    />
  );
}
