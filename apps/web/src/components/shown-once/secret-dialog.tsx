'use client';

import { IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { Button } from '../button/button.tsx';
import { CopyButton } from '../copyable/copyable.tsx';
import { Dialog, DialogActions } from '../dialog/dialog.tsx';
import { ScrollArea } from '../scroll-area/scroll-area.tsx';
import { showSecret } from './secret-store.ts';

/**
 * Shows a new secret in a dialog over every page, once; `children` is what to do with it. It closes only by its button: neither Escape
 * nor going back takes it away.
 */
export function SecretDialog({
  title,
  secret,
  label,
  advice,
  children,
  onClose,
  onStored = onClose,
}: {
  title: string;
  secret: string;
  label: string;
  advice: string;
  children?: ReactNode;
  onClose: () => void;
  /** Where the person goes on, when it is not where the dialog was opened. */
  onStored?: () => void;
}): null {
  const stored = useEffectEvent(() => onStored());
  const show = useEffectEvent(() =>
    showSecret(
      (store) => (
        <Dialog title={title} locked onClose={store}>
          <ShownOnce secret={secret} label={label} advice={advice} />
          {children}
          <DialogActions>
            <Button variant="accent" onClick={store}>
              I have stored it
            </Button>
          </DialogActions>
        </Dialog>
      ),
      stored,
    ),
  );
  // Once, with the words of its creation.
  useEffect(() => show(), []);
  return null;
}

/** A new secret, shown only once. */
function ShownOnce({ secret, label, advice }: { secret: string; label: string; advice: string }) {
  return (
    <div className="grid grid-cols-1 gap-2.5" role="status">
      <p className="flex gap-2 items-center py-2 px-3 border-l-3 border-wait bg-wait-soft text-sm font-medium">
        <IconEyeOff size={16} stroke={1.8} aria-hidden="true" />
        Copy it now: it is not shown again.
      </p>
      <div className="flex gap-2 items-center py-1 pr-1 pl-3 border border-line-strong rounded-md bg-ground-quiet">
        <ScrollArea className="flex-1 min-w-0 overflow-x-auto text-xs whitespace-nowrap" label={label}>
          <code>{secret}</code>
        </ScrollArea>
        <CopyButton text={secret} label={label} />
      </div>
      <p className="text-ink-quiet text-sm">{advice}</p>
    </div>
  );
}
