import { MAPPINGS } from '@switchyard/api/compat-mappings';
import { Fragment } from 'react';
import { WithCode } from '../_reference/with-code.tsx';
import { TableOfRows } from './prose.tsx';

const NAMES = { paystack: 'Paystack', flutterwave: 'Flutterwave v3' } as const;

/** Calls of a gateway's own form that are answered here, refused, or answered differently: the tables that the answers are made from. */
export function Dialect({ name }: { name: keyof typeof NAMES }) {
  const { answered, refusedFields, refusedCalls, differences } = MAPPINGS[name];
  const title = NAMES[name];
  return (
    <>
      <TableOfRows
        label={`Supported calls of ${title}`}
        head={['Call', 'Behavior']}
        rows={answered.map(({ call, becomes }) => [<code key="call">{call}</code>, <WithCode key="becomes" text={becomes} />])}
      />
      <TableOfRows
        label={`Calls and fields of ${title} that are refused`}
        head={['Refused', 'Because']}
        rows={[
          ...refusedCalls.map(({ call, why }) => [<code key="call">{call}</code>, <WithCode key="why" text={why} />]),
          ...refusedFields.map(({ call, field, why }) => [
            <Fragment key="field">
              <code>{field}</code> in <code>{call}</code>
            </Fragment>,
            <WithCode key="why" text={why} />,
          ]),
        ]}
      />
      <TableOfRows
        label={`What differs from ${title}`}
        head={['What', 'Here']}
        rows={differences.map(({ what, here }) => [<WithCode key="what" text={what} />, <WithCode key="here" text={here} />])}
      />
    </>
  );
}
