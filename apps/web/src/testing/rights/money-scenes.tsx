import type { ComponentProps } from 'react';
import { PaymentActions } from '#/app/(admin)/payments/_components/actions/payment-actions.tsx';
import { PaymentNotes } from '#/app/(admin)/payments/_components/detail/payment-detail.tsx';
import { PaymentMessages } from '#/app/(admin)/payments/_components/detail/payment-messages.tsx';
import { OpenMoney } from '#/app/(admin)/payments/_components/open-money/open-money.tsx';
import { RefundsPage } from '#/app/(admin)/refunds/_components/refunds-page.tsx';
import { ReviewDialog } from '#/app/(admin)/refunds/_components/review-dialog.tsx';
import { BulkPage } from '#/app/(admin)/refunds/bulk/_components/bulk-page.tsx';
import { partial } from '#/testing/partial.ts';
import { both, items, type Merchant, type Scene } from './shown-by-right.tsx';

const AT = new Date('2024-11-21T13:02:00Z');

const refund = (fields: object) =>
  items(({ merchantId, tag }) => ({
    merchantId,
    refundId: `r-${tag}`,
    paymentId: `p-${tag}`,
    merchantOrderId: tag,
    amount: 1_000n,
    paymentAmount: 2_500n,
    currency: 'NGN',
    gateway: 'paystack',
    state: 'PROCESSING',
    reason: null,
    reasonTitle: null,
    note: null,
    requestedBy: 'api',
    failureMessage: null,
    unresolved: false,
    nextCheckAt: AT,
    createdAt: AT,
    ...fields,
  }));
const counts = { byState: {}, all: { count: 2, more: false } };
const REFUND_ANSWERS = { 'merchants.list': [], 'refunds.counts': counts, 'refunds.duplicates.counts': counts };
const review = ({ merchantId, tag }: Merchant) => ({
  merchantId,
  paymentId: `p-${tag}`,
  merchantOrderId: tag,
  amount: 2_500n,
  currency: 'NGN',
  gateway: 'paystack',
  status: 'PENDING',
  reviewReason: 'Expected more.',
  receivedAmount: '2600.5',
  receivedCurrency: 'NGN',
  mismatched: [
    {
      attemptId: `a-${tag}`,
      gateway: 'paystack',
      receivedAmount: '2600.5',
      receivedCurrency: 'NGN',
      reference: 'ref',
      refundable: 2600n,
      remainder: '0',
      state: 'open',
      failureMessage: null,
    },
  ],
  refunding: false,
  failureMessage: null,
  createdAt: AT,
});

type Payment = ComponentProps<typeof OpenMoney>['payment'];
const payment = ({ merchantId, tag }: Merchant, fields: object) =>
  partial<Payment>({
    merchantId,
    mode: 'test',
    paymentId: `p-${tag}`,
    merchantOrderId: tag,
    amount: 2_500n,
    currency: 'NGN',
    status: 'SUCCESS',
    attempts: [],
    refunds: [],
    review: null,
    ...fields,
  });
const failed = {
  refundId: 'r',
  state: 'FAILED',
  amount: 10n,
  currency: 'NGN',
  failureMessage: 'No.',
  unresolved: true,
  dismissedAt: null,
};

/** A refund of another person that waits for a second one. */
function waitingRefund({ merchantId, tag }: Merchant) {
  return {
    merchantId,
    approvalId: `a-${tag}`,
    paymentId: `p-${tag}`,
    merchantOrderId: tag,
    kind: 'own',
    amount: 120n,
    paymentAmount: 150n,
    currency: 'NGN',
    gateway: 'paystack',
    state: 'WAITING',
    reason: null,
    reasonTitle: null,
    requesterName: 'Ada',
    createdAt: AT,
    isOwn: false,
  };
}

/** Refunds and what is done about payments. */
export const MONEY_SCENES: readonly Scene[] = [
  {
    title: 'Refunds that wait for their gateway',
    answers: { ...REFUND_ANSWERS, 'refunds.list': refund({}) },
    list: () => <RefundsPage />,
    controls: [
      {
        asks: 'refunds/refund-list.tsx payment:refund',
        name: ({ tag }) => `Check now: refund of ${tag}`,
        uses: ['refunds/refund-list.tsx refunds.look'],
      },
      { asks: 'refunds/refunds-page.tsx payment:refund', at: 'page', role: 'link', name: 'Refund from a file' },
    ],
  },
  {
    title: 'Refunds that failed',
    answers: { ...REFUND_ANSWERS, 'refunds.list': refund({ state: 'FAILED', unresolved: true }) },
    list: () => <RefundsPage />,
    controls: [
      {
        asks: 'refunds/refund-list.tsx payment:refund',
        name: ({ tag }) => `Try again… to refund ${tag}`,
        uses: ['payments/actions/refund-dialog.tsx refunds.request'],
      },
      {
        asks: 'refunds/refund-list.tsx payment:review',
        name: ({ tag }) => `Dismiss… the failed refund of ${tag}`,
        uses: ['refunds/failed-refund-dialogs.tsx refunds.dismiss'],
      },
    ],
  },
  {
    title: 'Refunds that need attention',
    answers: { ...REFUND_ANSWERS, 'refunds.list': refund({ state: 'NEEDS_ATTENTION' }) },
    list: () => <RefundsPage />,
    controls: [
      {
        asks: 'refunds/refund-list.tsx payment:review',
        name: ({ tag }) => `Record… the result of the refund of ${tag}`,
        uses: ['refunds/failed-refund-dialogs.tsx refunds.record'],
      },
    ],
  },
  {
    title: 'Refunds that wait for a second person',
    answers: {
      ...REFUND_ANSWERS,
      'refunds.approvals.list': items(waitingRefund),
    },
    search: '&tab=approvals',
    list: () => <RefundsPage />,
    controls: [
      {
        asks: 'refunds/approval-list.tsx refund:approve',
        name: ({ tag }) => `Review… the refund of ${tag}`,
        uses: ['refunds/approval-dialog.tsx refunds.approvals.approve', 'refunds/approval-dialog.tsx refunds.approvals.decline'],
      },
    ],
  },
  {
    title: 'One’s own refunds that wait for a second person',
    answers: { ...REFUND_ANSWERS, 'refunds.approvals.list': items((of) => ({ ...waitingRefund(of), isOwn: true })) },
    search: '&tab=approvals',
    list: () => <RefundsPage />,
    controls: [
      {
        asks: 'refunds/approval-list.tsx payment:refund',
        name: ({ tag }) => `Withdraw… the refund of ${tag}`,
        uses: ['refunds/approval-dialog.tsx refunds.approvals.withdraw'],
      },
    ],
  },
  {
    title: 'Duplicate payments',
    answers: {
      ...REFUND_ANSWERS,
      'refunds.duplicates.list': items(({ merchantId, tag }) => ({
        merchantId,
        duplicateChargeId: `c-${tag}`,
        paymentId: `p-${tag}`,
        merchantOrderId: tag,
        amount: '2500.5',
        currency: 'NGN',
        gateway: 'kora',
        state: 'OPEN',
        reference: 'pay_2',
        transactionId: 't-2',
        failureMessage: null,
        note: null,
        createdAt: AT,
      })),
    },
    search: '&tab=duplicates',
    list: () => <RefundsPage />,
    controls: [
      {
        asks: 'refunds/duplicate-list.tsx payment:refund',
        name: 'Refund…',
        uses: ['refunds/duplicate-dialog.tsx refunds.duplicates.refund'],
      },
      {
        asks: 'refunds/duplicate-list.tsx payment:review',
        name: 'Dismiss…',
        uses: ['refunds/duplicate-dialog.tsx refunds.duplicates.dismiss'],
      },
    ],
  },
  {
    title: 'Payments under review',
    answers: { ...REFUND_ANSWERS, 'refunds.reviews.list': items(review) },
    search: '&tab=reviews',
    list: () => <RefundsPage />,
    controls: [
      { asks: 'refunds/review-list.tsx payment:refund', or: 'payment:review', name: 'Review…' },
      { asks: 'refunds/review-list.tsx payment:review', or: 'payment:refund', name: 'Review…' },
    ],
  },
  {
    title: 'Review of a payment',
    of: (merchant) => <ReviewDialog review={partial(review(merchant))} onClose={() => undefined} />,
    controls: [
      {
        asks: 'refunds/review-dialog.tsx payment:refund',
        role: 'radio',
        name: /^Refund/,
        uses: ['refunds/review-dialog.tsx refunds.reviews.refund'],
      },
      {
        asks: 'refunds/review-dialog.tsx payment:review',
        role: 'radio',
        name: /^Close without a refund/,
        uses: ['refunds/review-dialog.tsx refunds.reviews.close'],
      },
    ],
  },
  {
    title: 'Refunds from a file',
    of: ({ merchantId }) => <BulkPage merchantId={merchantId} mode="test" />,
    controls: [
      {
        asks: 'refunds/bulk/bulk-page.tsx payment:refund',
        role: 'file',
        name: /file/i,
        uses: ['refunds/bulk/bulk-page.tsx refunds.bulk.preview', 'refunds/bulk/bulk-page.tsx refunds.bulk.refund'],
      },
    ],
  },
  {
    title: 'Open money of a payment',
    answers: {
      'refunds.reviews.list': { items: both(review), next: null },
      'refunds.duplicates.list': {
        items: [{ duplicateChargeId: 'c', amount: '5', currency: 'NGN', gateway: 'kora', state: 'OPEN' }],
        next: null,
      },
    },
    of: (merchant) => (
      <OpenMoney
        payment={payment(merchant, {
          refunds: [failed],
          attempts: [{ duplicate: true, state: 'DUPLICATE', paidAt: AT }],
          review: { state: 'OPEN', reason: 'More.' },
        })}
      />
    ),
    controls: [
      { asks: 'payments/open-money/open-money.tsx payment:refund', name: 'Refund again…' },
      { asks: 'payments/open-money/open-money.tsx payment:review', name: 'Dismiss…' },
      { asks: 'payments/open-money/open-money.tsx payment:refund', name: 'Refund…' },
      { asks: 'payments/open-money/open-money.tsx payment:refund', or: 'payment:review', name: 'Review…' },
    ],
  },
  {
    title: 'A payment’s refund that is stuck',
    of: (merchant) => (
      <OpenMoney payment={payment(merchant, { refunds: [{ ...failed, state: 'NEEDS_ATTENTION', unresolved: false }] })} />
    ),
    controls: [
      {
        asks: 'payments/open-money/open-money.tsx payment:refund',
        name: 'Check now',
        uses: ['payments/open-money/open-money.tsx refunds.look'],
      },
    ],
  },
  {
    title: 'A payment that was paid',
    of: (merchant) => <PaymentActions payment={payment(merchant, {})} />,
    controls: [{ asks: 'payments/actions/payment-actions.tsx payment:refund', name: 'Refund' }],
  },
  {
    title: 'A payment that is pending',
    of: (merchant) => (
      <PaymentActions payment={payment(merchant, { status: 'PENDING', attempts: [{ state: 'PENDING', current: true }] })} />
    ),
    controls: [
      {
        asks: 'payments/actions/payment-actions.tsx payment:verify',
        name: 'Verify now',
        uses: ['payments/actions/payment-actions.tsx payments.verify'],
      },
    ],
  },
  {
    title: 'Notes of a payment',
    answers: { 'payments.notes': [] },
    of: (merchant) => <PaymentNotes payment={payment(merchant, {})} />,
    controls: [
      {
        asks: 'payments/detail/payment-detail.tsx payment:verify',
        role: 'textbox',
        name: 'Add a note',
        uses: ['payments/detail/payment-detail.tsx payments.addNote'],
      },
    ],
  },
  {
    title: 'Messages of a payment',
    answers: {
      'payments.messages': ({ paymentId }: { paymentId: string }) => ({
        deliveries: both(({ merchantId, tag }) => ({
          merchantId,
          deliveryId: `d-${tag}`,
          endpointId: 'e',
          url: 'https://shop.example/hooks',
          type: 'payment.succeeded',
          state: 'DELIVERED',
          attempts: 1,
          deliveredAt: null,
          nextAttemptAt: null,
          tag,
        })).filter(({ tag }) => paymentId === `p-${tag}`),
        fromGateways: [],
      }),
    },
    of: (merchant) => <PaymentMessages payment={payment(merchant, {})} />,
    controls: [
      {
        asks: 'payments/detail/payment-messages.tsx webhook:resend',
        name: 'Resend',
        uses: ['payments/detail/payment-messages.tsx webhooks.deliveries.resend'],
      },
    ],
  },
];
