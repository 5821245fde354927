import { connect, createServer, type Socket } from 'node:net';

export type CuttableProxy = Awaited<ReturnType<typeof startCuttableProxy>>;

/**
 * Starts a proxy that forwards TCP connections to a port on loopback, and can cut or stall them.
 */
export async function startCuttableProxy(target: number) {
  /** Sockets, each with the socket that its bytes go to. */
  const sockets = new Map<Socket, Socket>();
  let isCut = false;
  let isStalled = false;
  const server = createServer((incoming) => {
    if (isCut) return void incoming.destroy();
    const outgoing = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.set(socket, other);
      if (!isStalled) socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const end = () => {
    for (const socket of sockets.keys()) socket.destroy();
  };
  return {
    /** The proxy's port on loopback. */
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** Ends all connections and accepts no new ones. */
    cut(): void {
      isCut = true;
      end();
    },
    /** Keeps all connections open and accepts new ones, but forwards nothing. */
    stall(): void {
      isStalled = true;
      for (const [socket, other] of sockets) socket.unpipe(other).pause();
    },
    /** Restores normal operation and forwards everything that was stalled. */
    mend(): void {
      isCut = false;
      if (!isStalled) return;
      isStalled = false;
      for (const [socket, other] of sockets) socket.pipe(other);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        end();
      }),
  };
}
