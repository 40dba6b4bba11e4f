'use client';

import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followZone } from '#/app-shell/zone-cookie.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Select } from '#/components/select/select.tsx';
import type { SelectOption } from '#/components/select/select-props.ts';
import { zoneOptions } from '#/components/select/zone-options.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { WORKSPACE_ZONE } from '#/format/zone.ts';
import { useTRPC } from '#/trpc/client.tsx';

const WORKSPACE = 'workspace';

/** The zone that the viewer reads times in, kept with their account. */
export function TimeZone({ timeZone, now }: { timeZone: string | null; now: number }) {
  const trpc = useTRPC();
  const [zones, setZones] = useState<readonly SelectOption[]>(timeZone === null ? [] : [{ value: timeZone, label: timeZone }]);
  // After the first paint, and in the browser alone: the server may know other zones.
  useEffect(() => setZones(zoneOptions()), []);
  const options = [{ value: WORKSPACE, label: `Workspace default (${WORKSPACE_ZONE})` }, ...zones];
  const change = useMutation(
    trpc.account.setTimeZone.mutationOptions({
      onSuccess: (saved) => {
        followZone(saved.timeZone);
        window.location.reload();
      },
    }),
  );
  return (
    <div className="grid gap-2 max-w-[360px]">
      <Select
        label="Time zone"
        options={options}
        value={timeZone ?? WORKSPACE}
        disabled={change.isPending}
        description={`Used for every time in the dashboard. Now: ${formatTimestamp(new Date(now)).replace(/\.\d{3}/, '')}.`}
        onChange={(zone) => change.mutate({ timeZone: zone === WORKSPACE ? null : zone })}
      />
      <Refusal message={change.error?.message ?? null} />
    </div>
  );
}
