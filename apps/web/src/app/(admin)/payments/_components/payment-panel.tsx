'use client';

import { IconArrowsMaximize, IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import classes from './payment-panel.module.css';
import { PaymentStory } from './payment-story.tsx';

export interface PaymentPanelProps {
  readonly paymentId: string;
  readonly rows: readonly { readonly paymentId: string }[];
  readonly onOpen: (paymentId: string) => void;
  readonly onClose: () => void;
}

/**
 * One payment beside the list. While it has the focus: Escape closes it, `f` opens its own page, `j` and `k` go to the next and the
 * previous payment.
 */
export function PaymentPanel({ paymentId, rows, onOpen, onClose }: PaymentPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const router = useRouter();
  const scope = useScope();
  const page = hrefIn(scope, `/payments/${paymentId}`);
  const at = rows.findIndex((row) => row.paymentId === paymentId);
  const previous = at > 0 ? rows[at - 1]?.paymentId : undefined;
  const next = at >= 0 ? rows[at + 1]?.paymentId : undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another payment is another thing to be read from its beginning.
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollTo({ top: 0 });
  }, [paymentId]);

  function close() {
    const id = paymentId;
    onClose();
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-payment="${CSS.escape(id)}"]`)?.focus());
  }

  function press(event: KeyboardEvent) {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'f') router.push(page);
    else if (event.key === 'j' && next !== undefined) onOpen(next);
    else if (event.key === 'k' && previous !== undefined) onOpen(previous);
    else return;
    event.preventDefault();
  }

  return (
    <aside className={classes.panel} ref={panel} tabIndex={-1} aria-label="Payment" onKeyDown={press}>
      <div className={classes.head}>
        <Step label="Previous payment (k)" to={previous} onOpen={onOpen} icon={IconChevronUp} />
        <Step label="Next payment (j)" to={next} onOpen={onOpen} icon={IconChevronDown} />
        <span className={classes.gap} />
        <Link href={page} className={classes.button} aria-label="Open as a page (f)" title="Open as a page (f)">
          <IconArrowsMaximize size={16} stroke={1.7} aria-hidden="true" />
        </Link>
        <button type="button" className={classes.button} onClick={close} aria-label="Close (Esc)" title="Close (Esc)">
          <IconX size={18} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <PaymentStory paymentId={paymentId} />
    </aside>
  );
}

function Step({
  label,
  to,
  onOpen,
  icon: Glyph,
}: {
  label: string;
  to: string | undefined;
  onOpen: (paymentId: string) => void;
  icon: typeof IconChevronUp;
}) {
  return (
    <button
      type="button"
      className={classes.button}
      disabled={to === undefined}
      onClick={() => to !== undefined && onOpen(to)}
      aria-label={label}
      title={label}
    >
      <Glyph size={18} stroke={1.7} aria-hidden="true" />
    </button>
  );
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
