'use client';

import type { EditedDraft } from '../draft/use-draft.ts';
import type { Account } from '../rules/document.ts';
import { moveInList } from '../rules/edit.ts';
import type { Note } from '../rules/findings.ts';
import { AccountList } from './accounts-editor.tsx';
import { NoteLines } from './notes.tsx';

/** Accounts tried when no rule matches, and after a rule's own accounts. */
export function DefaultOrderEditor({
  edited: { document, change },
  accounts,
  notes,
  mayWrite,
}: {
  edited: EditedDraft;
  accounts: readonly Account[];
  notes: readonly Note[];
  mayWrite: boolean;
}) {
  const { defaultOrder } = document;
  const order = (next: readonly string[], did: string) => change({ ...document, defaultOrder: next }, did);
  return (
    <section className="mt-6" aria-labelledby="default-order">
      <h2 id="default-order" className="text-base font-semibold">
        Everything else: default order
      </h2>
      <p className="mb-2 text-ink-faint text-sm">
        Used when no rule matches or the payment names no method, and after a rule's own accounts.
      </p>
      <AccountList
        accountIds={defaultOrder}
        accounts={accounts}
        label="Default order"
        notes={notes}
        mayWrite={mayWrite}
        onMove={(from, to) => order(moveInList(defaultOrder, from, to), 'Changing the default order')}
        onRemove={(accountId) =>
          order(
            defaultOrder.filter((each) => each !== accountId),
            'Removing an account from the default order',
          )
        }
        onAdd={(accountId) => order([...defaultOrder, accountId], 'Adding an account to the default order')}
      />
      <NoteLines notes={notes.filter(({ accountId }) => accountId === null)} />
    </section>
  );
}
