import { createServer, type Socket } from 'node:net';

/** A mail server that takes every letter and keeps it. */
export interface Mailbox {
  readonly url: string;
  readonly letters: string[];
  close(): Promise<void>;
}

/** Speaks as much SMTP as handing over a letter takes. */
export async function openMailbox(): Promise<Mailbox> {
  const letters: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let letter: string | null = null;
    let rest = '';
    socket.write('220 letter box\r\n');
    socket.on('data', (data) => {
      rest += data.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (letter !== null && line !== '.') {
          letter += `${line}\n`;
          continue;
        }
        if (letter !== null) {
          letters.push(letter);
          letter = null;
          socket.write('250 kept\r\n');
        } else if (/^DATA/i.test(line)) {
          letter = '';
          socket.write('354 go on\r\n');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else socket.write('250 fine\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
