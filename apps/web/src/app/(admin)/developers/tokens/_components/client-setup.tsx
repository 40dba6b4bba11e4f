'use client';

import { useState } from 'react';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { clientConfiguration, configurationPlace, MCP_CLIENTS, type McpClient } from '../client-configuration.ts';

/** The configuration with which an MCP client connects, for the client that is chosen. */
export function ClientSetup({ publicUrl, token }: { publicUrl: string; token: string }) {
  const [client, setClient] = useState<McpClient>('http');
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2 justify-items-start">
      <SegmentedControl label="MCP client" choices={MCP_CLIENTS} value={client} onChange={setClient} />
      <p className="text-ink-quiet text-sm">{configurationPlace(client)}</p>
      <Command text={clientConfiguration(client, publicUrl, token)} label="The configuration of the client" />
    </div>
  );
}
