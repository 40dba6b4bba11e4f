import { createServer, type Socket } from 'node:net';

/** A mail server that accepts and stores every e-mail. */
export interface Mailbox {
  readonly url: string;
  readonly emails: string[];
  close(): Promise<void>;
}

/** Implements the part of SMTP that delivers an e-mail. */
export async function openMailbox(): Promise<Mailbox> {
  const emails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let email: string | null = null;
    let rest = '';
    socket.write('220 email box\r\n');
    socket.on('data', (data) => {
      rest += data.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (email !== null && line !== '.') {
          email += `${line}\n`;
          continue;
        }
        if (email !== null) {
          emails.push(email);
          email = null;
          socket.write('250 kept\r\n');
        } else if (/^DATA/i.test(line)) {
          email = '';
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
    emails,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
