'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { saveFile } from '#/components/export-button/download.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import type { Incident } from '#/copy/incident-story.ts';
import { failureText } from '#/forms/failure-text.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { useImpactInput } from './use-incident.ts';

/** Saves an incident as Markdown, or prints its page, from where it becomes a PDF. */
export function ExportActions({ incident }: { incident: Incident }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const can = useCan();
  const [isSaving, setIsSaving] = useState(false);
  const input = useImpactInput(incident);
  const { incidentId } = input;
  async function save() {
    setIsSaving(true);
    try {
      const [impact, writing, { incidentMarkdown }] = await Promise.all([
        can('payment:read') ? queries.fetchQuery(trpc.incidents.impact.queryOptions(input)) : null,
        queries.fetchQuery(trpc.incidents.notes.queryOptions({ incidentId })),
        import('#/copy/incident-markdown.ts'),
      ]);
      const content = incidentMarkdown({ incident, impact, writing, url: window.location.href });
      const day = (incident.since ?? new Date()).toISOString().slice(0, 10);
      saveFile(new Blob([content], { type: 'text/markdown;charset=utf-8' }), `incident-${day}-${incidentId.slice(-8)}.md`);
    } catch (error) {
      showToast({ text: failureText(error), tone: 'bad' });
    } finally {
      setIsSaving(false);
    }
  }
  return (
    <>
      <Button loading={isSaving} onClick={() => void save()}>
        Markdown
      </Button>
      <Button onClick={() => window.print()}>Print</Button>
    </>
  );
}
