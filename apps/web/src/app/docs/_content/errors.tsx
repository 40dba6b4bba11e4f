import type { FailureName } from '@switchyard/api/rest';
import Link from 'next/link';
import { Fragment, type ReactNode } from 'react';
import { RecordedAnswer } from '../_components/code/recorded.tsx';
import { Note, Table } from '../_components/prose.tsx';
import type { Topic } from './topic.ts';

/** Why an error is answered, and what a program or its author does about it. */
interface ErrorGuide {
  readonly status: number;
  readonly title: string;
  readonly cause: ReactNode;
  readonly act: ReactNode;
  /** True if sending the same request again can help. */
  readonly again: 'no' | 'yes, after Retry-After' | 'yes, with the same Idempotency-Key';
}

/** Every error that the API answers. */
export const ERROR_GUIDE: Readonly<Record<FailureName, ErrorGuide>> = {
  badRequest: {
    status: 400,
    title: 'Bad request',
    cause: (
      <>
        Something in the body or the query breaks a rule. <code>data.errors</code> lists every problem at once: the field, then
        the rule.
      </>
    ),
    act: 'Correct the request. Log the list: it is written for you, not for your customer.',
    again: 'no',
  },
  invalidKey: {
    status: 401,
    title: 'Invalid API key',
    cause: 'The key is missing, misspelt, revoked, expired, or of another installation.',
    act: (
      <>
        Send <code>Authorization: Bearer sk_…</code>. Create a new key in the dashboard if this one is gone.
      </>
    ),
    again: 'no',
  },
  addressNotAllowed: {
    status: 403,
    title: 'Key used from an address it must not be used from',
    cause: 'The key is restricted to addresses, and the request came from another. The message names it.',
    act: 'Add the address of your server to the key, or send from an allowed one.',
    again: 'no',
  },
  missingScope: {
    status: 403,
    title: 'Key lacks a scope',
    cause: 'The key is restricted to some calls, and this is none of them. The message names the scope.',
    act: 'Use a key that has it, or add it to this key.',
    again: 'no',
  },
  paymentNotFound: {
    status: 404,
    title: 'Payment not found',
    cause: 'There is no such payment for this key: the id is wrong, of another merchant, or of the other mode.',
    act: 'Most often a live id was read with a test key, or the reverse. Check the key, then the id.',
    again: 'no',
  },
  refundNotFound: {
    status: 404,
    title: 'Refund not found',
    cause: 'The payment has no refund with this id.',
    act: "List the payment's refunds.",
    again: 'no',
  },
  pathNotFound: {
    status: 404,
    title: 'Resource not found',
    cause: 'No endpoint has this path.',
    act: (
      <>
        Compare the path with the <Link href="/docs/api">API reference</Link>.
      </>
    ),
    again: 'no',
  },
  methodNotAllowed: {
    status: 405,
    title: 'Method not allowed',
    cause: (
      <>
        The path exists and takes another method. The header <code>Allow</code> says which.
      </>
    ),
    act: 'Use that one. A redirect that turns POST into GET is a common cause: call the address that needs no redirect.',
    again: 'no',
  },
  duplicateOrder: {
    status: 409,
    title: 'Order id used before',
    cause: (
      <>
        A payment with this <code>merchantOrderId</code> exists. <code>data.paymentId</code> is its id.
      </>
    ),
    act: 'Read that payment. It is the one you want after a call that was not answered; after a payment that failed, start a new one under a new order id.',
    again: 'no',
  },
  notRefundable: {
    status: 409,
    title: 'Not refundable',
    cause: (
      <>
        The payment has not succeeded, or less of it is left. <code>data.refundableAmount</code> says how much.
      </>
    ),
    act: 'Refund at most that.',
    again: 'no',
  },
  requestInFlight: {
    status: 409,
    title: 'First request still in flight',
    cause: 'A request with the same Idempotency-Key has not been answered yet.',
    act: 'Wait, and send it again: you get the answer of the first.',
    again: 'yes, after Retry-After',
  },
  bodyTooLarge: {
    status: 413,
    title: 'Request body too large',
    cause: 'The body is larger than 64 KiB.',
    act: 'Send less metadata: keep it with you, and send its id.',
    again: 'no',
  },
  unsupportedMediaType: {
    status: 415,
    title: 'Unsupported media type',
    cause: 'A body was sent that is not declared as JSON.',
    act: (
      <>
        Send <code>Content-Type: application/json</code>. Some HTTP clients declare a form when they are given a string.
      </>
    ),
    again: 'no',
  },
  otherRequest: {
    status: 422,
    title: 'Idempotency-Key of another request',
    cause: 'The key was used within 24 hours for a request with another body or path.',
    act: 'Make a key for each request, for instance of the order id. A retry must send exactly what was sent first.',
    again: 'no',
  },
  tooManyRequests: {
    status: 429,
    title: 'Too many requests',
    cause: "The key's rate limit is exceeded.",
    act: (
      <>
        Wait as long as <code>Retry-After</code> says. See <Link href="/docs/rate-limits">rate limits</Link>.
      </>
    ),
    again: 'yes, after Retry-After',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    cause: 'A fault of ours. The message names the request.',
    act: (
      <>
        Send it again with the same <code>Idempotency-Key</code>. If it stays, tell us the id, which is in{' '}
        <code>X-Request-Id</code> too.
      </>
    ),
    again: 'yes, with the same Idempotency-Key',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    cause: 'We cannot work at the moment, or have more to do than we can carry out.',
    act: (
      <>
        Wait as long as <code>Retry-After</code> says and send it again with the same <code>Idempotency-Key</code>.
      </>
    ),
    again: 'yes, after Retry-After',
  },
};

const GUIDES = Object.entries(ERROR_GUIDE);

/** Errors of the API, and how to handle them. */
export const errors: Topic = {
  slug: 'errors',
  label: 'Errors',
  title: 'Errors',
  lead: 'Every error has the same form and says everything that is wrong at once. Here is each one, and what to do about it.',
  sections: [
    {
      id: 'form',
      title: 'The form of an answer',
      body: (
        <>
          <p>
            What succeeded has <code>status: true</code> and the result in <code>data</code>. What failed has{' '}
            <code>success: false</code>, a message for developers, and in <code>data</code> the list of problems, or{' '}
            <code>null</code>. The HTTP status is repeated in <code>statusCode</code>.
          </p>
          <RecordedAnswer name="badRequest" />
          <p>
            Branch on the HTTP status and never on the text of <code>message</code>, which may be improved. Every answer has{' '}
            <code>X-Request-Id</code>: log it, it finds the request in our logs. Send one of your own, a UUID, and it is used
            instead.
          </p>
        </>
      ),
    },
    {
      id: 'overview',
      title: 'All of them',
      body: (
        <Table
          label="Errors of the API"
          head={['Status', 'Error', 'Send again?']}
          rows={GUIDES.map(([name, { status, title, again }]) => [
            String(status),
            <a key={name} href={`#${name}`}>
              {title}
            </a>,
            again,
          ])}
        />
      ),
    },
    {
      id: 'no-answer',
      title: 'No answer at all',
      body: (
        <>
          <p>
            A call that was not answered may have been carried out. Send it again with the same{' '}
            <Link href="/docs/idempotency">Idempotency-Key</Link>: you get the first answer, or the call is carried out now.
            Without a key, send it again all the same: <code>merchantOrderId</code> keeps it from starting a second payment, and
            the 409 names the first.
          </p>
          <Note>
            Set a time-out of 30 seconds. Initiate tries several gateways and may take up to 20 when they fail slowly; usually it
            takes as long as one gateway needs.
          </Note>
        </>
      ),
    },
    {
      id: 'each',
      title: 'Each error',
      body: GUIDES.map(([name, { status, title, cause, act }]) => (
        <Fragment key={name}>
          <h3 id={name}>
            {status} · {title}
          </h3>
          <p>
            {cause} {act}
          </p>
          {/* The form of an answer above shows the other one. */}
          <RecordedAnswer name={name === 'badRequest' ? 'misspeltField' : name} />
        </Fragment>
      )),
    },
  ],
};
