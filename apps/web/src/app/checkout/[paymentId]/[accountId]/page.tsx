import '@fontsource-variable/inter';
import type { CheckoutResultView } from '@switchyard/api/rest';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { processSwitchyard } from '#/server/native/process.ts';
import { readCheckoutResult } from '#/server/native/rest.ts';
import { PollResult } from './_components/poll-result.tsx';
import styles from './result.module.css';

export const metadata: Metadata = { title: 'Your payment', robots: { index: false } };

const LABELS: Record<
  CheckoutResultView['status'],
  { tone: 'good' | 'waiting' | 'bad' | 'over'; mark: string; title: string; text: string }
> = {
  SUCCESS: { tone: 'good', mark: '✓', title: 'Payment received', text: 'Thank you. You can close this page.' },
  INITIATED: { tone: 'waiting', mark: '…', title: 'Confirming your payment', text: 'This page refreshes automatically.' },
  PENDING: {
    tone: 'waiting',
    mark: '…',
    title: 'Payment not confirmed yet',
    text: 'If you have paid, there is nothing more to do: it is confirmed as soon as your bank says so. This page refreshes automatically.',
  },
  FAILED: {
    tone: 'bad',
    mark: '×',
    title: 'Payment not completed',
    text: 'The payment did not go through. You can try again at the shop.',
  },
  REFUNDED: { tone: 'over', mark: '↺', title: 'Payment refunded', text: 'The money is on its way back to where it came from.' },
};

/** The result page for customers of merchants without a redirect URL. */
export default async function ResultPage({ params }: { params: Promise<{ paymentId: string; accountId: string }> }) {
  const { paymentId, accountId } = await params;
  const result = await readCheckoutResult(processSwitchyard(), paymentId, accountId);
  if (result === null) notFound();
  const { tone, mark, title, text } = LABELS[result.status];
  const again = `/checkout/${paymentId}/${accountId}/return`;
  return (
    <main className={styles.page}>
      {tone === 'waiting' && <PollResult address={again} />}
      {result.mode === 'test' && <p className={styles.band}>Test payment: no money has moved</p>}
      <section
        className="w-full max-w-[440px] box-border px-8 pt-10 pb-8 border border-line rounded-[12px] bg-[var(--sheet)] text-center"
        aria-labelledby="title"
        aria-live="polite"
      >
        <p className={styles.mark} data-tone={tone} aria-hidden="true">
          {mark}
        </p>
        <h1 id="title" className="text-xl font-semibold">
          {title}
        </h1>
        <p className="mt-2 text-[32px] font-semibold tracking-[-0.01em]">
          {result.currency} {result.amount}
        </p>
        <p className="mt-4 mb-6 text-[var(--quiet)] text-base leading-[1.55]">{text}</p>
        <dl className={styles.facts}>
          <dt>Shop</dt>
          <dd>{result.merchantName}</dd>
          <dt>Order</dt>
          <dd>{result.merchantOrderId}</dd>
          <dt>Payment</dt>
          <dd className={'[font-family:"JetBrains_Mono_Variable",ui-monospace,monospace] text-xs'}>{result.paymentId}</dd>
        </dl>
        {tone === 'waiting' && (
          <a className={styles.again} href={again}>
            Check again now
          </a>
        )}
      </section>
    </main>
  );
}
