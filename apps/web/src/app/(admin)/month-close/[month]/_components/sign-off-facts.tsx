import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import type { Month } from '#/copy/accounting.ts';
import { formatTimestamp } from '#/format/moments.ts';

/** Names of who closed, reviewed and signed the month, when, and the hash of what they saw. */
export function SignOffFacts({ close }: { close: NonNullable<Month['close']> }) {
  const { closed, reviewed, signed, hash } = close;
  return (
    <section aria-label="Sign-off" className="mb-8 max-w-[720px] break-inside-avoid">
      <h2 className="mb-1 text-base font-semibold">Sign-off</h2>
      <DescriptionList>
        <Description name="Closed">{describe(closed)}</Description>
        <Description name="Reviewed">{reviewed === null ? 'Not reviewed' : describe(reviewed)}</Description>
        {reviewed !== null && reviewed.note !== '' && <Description name="Review note">{reviewed.note}</Description>}
        <Description name="Signed off" strong>
          {signed === null ? 'Not signed off' : describe(signed)}
        </Description>
        <Description name="SHA-256">
          <Copyable text={hash} label="hash" whole />
        </Description>
      </DescriptionList>
    </section>
  );
}

function describe({ name, at }: { readonly name: string | null; readonly at: Date }): string {
  return `${formatTimestamp(at)}, ${name ?? 'by the system'}`;
}
