'use client';

import { IconEyeOff } from '@tabler/icons-react';
import { CopyButton } from '../copyable/copyable.tsx';
import { ScrollArea } from '../scroll-area/scroll-area.tsx';

/** A new secret, shown only once. */
export function ShownOnce({ secret, label, advice }: { secret: string; label: string; advice: string }) {
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
