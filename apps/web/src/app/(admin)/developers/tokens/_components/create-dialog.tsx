'use client';

import { useQuery } from '@tanstack/react-query';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { CheckboxGroup, TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { CreatedToken } from './created-token.tsx';
import { LIFETIMES, useTokenForm } from './use-token-form.ts';

const MODES = [
  { value: 'test', label: 'Test' },
  { value: 'live', label: 'Live' },
] as const;

/** Creates a token, and shows it once. */
export function CreateDialog({ publicUrl, onDone, onClose }: { publicUrl: string; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const { values, change, leave, problems, submit, busy, refusal, token } = useTokenForm(onDone);
  if (token !== null) {
    return <CreatedToken name={values.name.trim()} token={token} modes={values.modes} publicUrl={publicUrl} onClose={onClose} />;
  }
  return (
    <Dialog title="Create finance token" dirty={values.name !== ''} onClose={onClose}>
      <form
        style={{ display: 'contents' }}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit().catch(() => undefined);
        }}
      >
        <TextField
          label="Name"
          value={values.name}
          maxLength={100}
          error={problems.name ?? null}
          description="What will use it."
          placeholder="Month-end workbook"
          autoFocus
          onChange={(event) => change({ name: event.currentTarget.value })}
          onBlur={() => leave('name')}
        />
        <CheckboxGroup
          label="Merchants"
          choices={(merchants ?? []).map(({ merchantId: value, name: label }) => ({ value, label }))}
          values={values.merchantIds}
          error={problems.merchantIds ?? null}
          onChange={(merchantIds) => change({ merchantIds })}
        />
        <CheckboxGroup
          label="Modes"
          choices={MODES}
          values={values.modes}
          error={problems.modes ?? null}
          onChange={(modes) => change({ modes })}
        />
        <RadioGroup label="Expires" choices={LIFETIMES} value={values.life} onChange={(life) => change({ life })} />
        <Refusal message={refusal} />
        <DialogActions onCancel={onClose}>
          <Button variant="accent" type="submit" loading={busy}>
            Create token
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
