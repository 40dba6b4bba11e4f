'use client';

import { CopyButton } from '../copyable/copyable.tsx';
import { ScrollArea } from '../scroll-area/scroll-area.tsx';
import { firstPayment } from './first-payment-command.ts';

/** Shown without payments: a command that initiates one, ready to paste. */
export function FirstPayment({ publicUrl, mode }: { publicUrl: string; mode: 'test' | 'live' }) {
  const command = firstPayment(publicUrl, mode);
  return (
    <div className="grid grid-cols-1 gap-3 justify-items-start max-w-[640px] pt-4 pb-10">
      <h2 className="text-lg font-semibold">{mode === 'live' ? 'No live payments yet' : 'No test payments yet'}</h2>
      <p className="text-ink-quiet text-sm">
        A merchant's server starts a payment with one request. Run this in a terminal with one of the merchant's {mode} keys; the
        payment appears here immediately.
      </p>
      <Command text={command} label="The request that starts a payment" />
    </div>
  );
}

/** A command to paste. */
export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div className="w-full min-w-0 border border-line rounded-xl bg-ground-quiet">
      <div className="flex justify-end px-1.5 pt-1">
        <CopyButton text={text} label="the command" />
      </div>
      <ScrollArea
        label={label}
        className="overflow-x-auto rounded-xl [&_pre]:pt-1 [&_pre]:px-4 [&_pre]:pb-4 [&_pre]:text-xs [&_pre]:leading-[1.6]"
      >
        <pre>{text}</pre>
      </ScrollArea>
    </div>
  );
}
