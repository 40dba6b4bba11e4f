'use client';

import { IconArrowsMaximize } from '@tabler/icons-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { panelToolClass, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { PaymentDetail } from './payment-detail.tsx';

/** The open payment, and the rows of the list between which its panel steps. */
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
  const router = useRouter();
  const page = hrefIn(useScope(), `/payments/${paymentId}`);
  return (
    <SidePanel
      label="Payment"
      steps={{ id: paymentId, ids: rows.map((row) => row.paymentId), words: ['Previous payment', 'Next payment'], onOpen }}
      tools={
        <Link href={page} className={panelToolClass} aria-label="Open as a page (f)" title="Open as a page (f)">
          <IconArrowsMaximize size={16} stroke={1.7} aria-hidden="true" />
        </Link>
      }
      keys={{ f: () => router.push(page) }}
      from={['data-payment', paymentId]}
      bare
      onClose={onClose}
    >
      <PaymentDetail paymentId={paymentId} />
    </SidePanel>
  );
}
