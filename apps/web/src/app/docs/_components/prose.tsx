import { MAPPINGS } from '@switchyard/api/compat-mappings';
import { type ComponentProps, Fragment, type ReactNode } from 'react';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { SAMPLE_URL, SANDBOX_SAMPLE_URL } from '../_content/samples/languages.ts';
import sandbox from '../_content/sandbox.json';
import { WithCode } from './code/code-block.tsx';
import classes from './prose.module.css';

/** Something that costs money or an afternoon when it is overlooked. */
export function Note({ tone = 'info', children }: { tone?: 'info' | 'caution'; children: ReactNode }) {
  return (
    <div className={classes.note} data-tone={tone}>
      {children}
    </div>
  );
}

/** A part of a page, with an address of its own. The page draws its heading. */
export function Section({ children }: { id: string; title: string; children: ReactNode }) {
  return children;
}

/** Steps to take one after the other. */
export function Steps(props: ComponentProps<'ol'>) {
  return <ol className={classes.steps} {...props} />;
}

/** A table of the page's text, which scrolls by itself where it is too wide; each row begins with what it is about. */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollArea label={label} className="overflow-x-auto">
      {children}
    </ScrollArea>
  );
}

export function PlainTable(props: ComponentProps<'table'>) {
  return <table className={classes.table} {...props} />;
}

export function HeadCell(props: ComponentProps<'th'>) {
  return <th scope="col" {...props} />;
}

interface TableOfRowsProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A table that is made from data. */
function TableOfRows({ label, head, rows }: TableOfRowsProps) {
  return (
    <Table label={label}>
      <PlainTable>
        <thead>
          <tr>
            {head.map((title) => (
              <HeadCell key={title}>{title}</HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
            <tr key={row}>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: nor do the columns.
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Table>
  );
}

const NAMES = { paystack: 'Paystack', flutterwave: 'Flutterwave v3' } as const;

/** A value that a refused field may have. */
const takenText = (value: unknown) => `\`${JSON.stringify(value)}\` is taken`;

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
          ...refusedFields.map(({ call, field, why, harmless = [] }) => [
            <Fragment key="field">
              <code>{field}</code> in <code>{call}</code>
            </Fragment>,
            <WithCode key="why" text={[why, ...harmless.map(takenText)].join('; ')} />,
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

/** Where the sandbox of this installation is, in a sentence; or that there is none. */
export function SandboxAddress() {
  const sandbox = sandboxUrl();
  if (sandbox === null) {
    return (
      <>
        This installation runs no sandbox; <code>npm start</code> does on a machine of your own. <code>$SANDBOX_URL</code> stands
        for its address here.
      </>
    );
  }
  return (
    <>
      The sandbox of this installation is at <code>{sandbox}</code>.
    </>
  );
}

/** Cards that the checkout of each gateway of the sandbox takes. */
export function TestCards() {
  return sandbox.gateways.map(({ name, title, cards }) => (
    <Fragment key={name}>
      <h3 id={`cards-${name}`}>{title}</h3>
      <TableOfRows
        label={`Test cards of ${title}`}
        head={['Number', 'What happens', 'CVV', 'PIN, OTP']}
        rows={cards.map((card) => [
          <code key="number">{card.number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</code>,
          card.name,
          card.cvv ?? 'any',
          [card.pin, card.otp].filter((each) => each !== null).join(', ') || '–',
        ])}
      />
    </Fragment>
  ));
}

/** Faults that a gateway of the sandbox can be given. */
export function Faults() {
  return (
    <TableOfRows
      label="Faults of a gateway"
      head={['kind', 'What the gateway does']}
      rows={sandbox.faults.map(({ kind, does }) => [<code key="kind">{kind}</code>, does])}
    />
  );
}

/** Address of the sandbox that runs beside this installation; null where there is none. */
function sandboxUrl(): string | null {
  return process.env.SWITCHYARD_SANDBOX_URL || null;
}

/** Text with the addresses of this installation, at `base`, and of its sandbox in place of the ones that samples are written with. */
export function installationText(text: string, base: string): string {
  return text.replaceAll(SAMPLE_URL, base).replaceAll(SANDBOX_SAMPLE_URL, sandboxUrl() ?? '$SANDBOX_URL');
}
