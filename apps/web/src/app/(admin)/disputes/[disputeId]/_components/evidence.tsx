'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useDisputeActions } from '#/app/(admin)/disputes/_components/use-disputes.ts';
import { Button } from '#/components/button/button.tsx';
import { saveFile } from '#/components/export-button/download.ts';
import { FileDrop } from '#/components/file-drop/file-drop.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import type { WholeDispute } from '#/copy/disputes.ts';
import { describePayer } from '#/copy/payers.ts';
import { failureText } from '#/forms/failure-text.ts';
import { useTRPC } from '#/trpc/client.tsx';

const BYTES_MAX = 5 * 1_048_576;

/** The files of a dispute, and a place to add one while it is open. */
export function EvidenceSection({ dispute, mayAct }: { dispute: WholeDispute; mayAct: boolean }) {
  const { evidence, payer, gatewayTitle } = dispute;
  const [refusal, setRefusal] = useState<string | null>(null);
  const download = useDownload(setRefusal);
  return (
    <section aria-label="Evidence">
      <h2 className="mb-2 text-base font-semibold">Evidence</h2>
      {evidence.length === 0 && (
        <p className="mb-2 text-ink-quiet">
          Receipts, proof of delivery or messages that show what the customer got. Nothing is sent before you respond.
        </p>
      )}
      {payer !== null && (
        <p className="mb-2">
          {gatewayTitle} names the account that the transfer came from: {describePayer(payer)}.
        </p>
      )}
      <ul className="grid gap-1.5 mb-3">
        {evidence.map(({ evidenceId, fileName, sizeBytes, createdAt }) => (
          <li key={evidenceId} className="flex flex-wrap gap-x-3 gap-y-1 items-center">
            <Button onClick={() => void download(evidenceId)} aria-label={`Download ${fileName}`}>
              {fileName}
            </Button>
            <span className="text-ink-quiet text-sm">
              {Math.max(1, Math.round(sizeBytes / 1_024)).toLocaleString('en')} KB, <Moment value={createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {mayAct && <AddEvidence dispute={dispute} />}
      <Refusal message={refusal} />
    </section>
  );
}

/** A place to add a file to a dispute: kept with it from then on. */
export function AddEvidence({ dispute, onAdded }: { dispute: WholeDispute; onAdded?: (evidenceId: string) => void }) {
  const { merchantId, disputeId } = dispute;
  const { addEvidence } = useDisputeActions();
  const [refusal, setRefusal] = useState<string | null>(null);

  async function take(file: File): Promise<void> {
    setRefusal(null);
    if (file.size > BYTES_MAX) return setRefusal('The file is larger than 5 MB.');
    try {
      const content = toBase64(new Uint8Array(await file.arrayBuffer()));
      const outcome = await addEvidence.mutateAsync({ merchantId, disputeId, fileName: file.name.slice(-300), content });
      if (outcome.kind === 'refused') setRefusal(outcome.why);
      else onAdded?.(outcome.evidenceId);
    } catch (error) {
      setRefusal(failureText(error));
    }
  }

  return (
    <>
      <FileDrop
        accept="application/pdf,image/png,image/jpeg,.pdf,.png,.jpg,.jpeg"
        label="Add a file"
        hint={addEvidence.isPending ? 'Adding the file…' : 'PDF, PNG or JPEG, at most 5 MB'}
        disabled={addEvidence.isPending}
        onFile={(file) => void take(file)}
      />
      <Refusal message={refusal} />
    </>
  );
}

/** Saves a file of the dispute on the person's device. */
function useDownload(onRefused: (why: string) => void): (evidenceId: string) => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async (evidenceId) => {
    try {
      const { fileName, mediaType, content } = await queries.fetchQuery(trpc.disputes.evidence.queryOptions({ evidenceId }));
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      saveFile(new Blob([bytes], { type: mediaType }), fileName);
    } catch (error) {
      onRefused(failureText(error));
    }
  };
}

const CHUNK = 32_768;

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}
