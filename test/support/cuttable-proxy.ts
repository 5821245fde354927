import { connect, createServer, type Socket } from 'node:net';

export type CuttableProxy = Awaited<ReturnType<typeof startCuttableProxy>>;

/**
 * Passes TCP connections on to a port on loopback, and can cut them or hold back what goes over
 * them.
 */
export async function startCuttableProxy(target: number) {
  /** Each with where its bytes go. */
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
    /** Of the proxy, on loopback. */
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** Ends all connections and takes no new ones. */
    cut(): void {
      isCut = true;
      end();
    },
    /** Lets all connections stand, and new ones be made, and passes nothing on. */
    stall(): void {
      isStalled = true;
      for (const [socket, other] of sockets) socket.unpipe(other).pause();
    },
    /** All is as before; what was held back arrives. */
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
