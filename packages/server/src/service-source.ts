/** How to open a service and how to close it again. */
export interface ServiceLifecycle<Service> {
  open(): Promise<Service>;
  /** Called when the server closes, if the service was opened. */
  close?(service: Service): Promise<void>;
}

/** A service, or how to open one. A service with a method `open` of its own is given as `{ open: async () => service }`. */
export type ServiceSource<Service> = Service | ServiceLifecycle<Service>;

interface OpenedOnce<Service> {
  /** The service, opened by the first caller. A failed opening is tried again by the next one. */
  get(): Promise<Service>;
  /** Closes the service if it was opened. */
  close(): Promise<void>;
}

export function openedOnce<Service>(source: ServiceSource<Service>): OpenedOnce<Service> {
  if (!isLifecycle(source)) return { get: async () => source, close: async () => {} };
  let opened: Promise<Service> | undefined;
  return {
    get() {
      opened ??= source.open().catch((error) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async close() {
      // After a failed opening there is nothing to close, and its callers have received the error.
      const service = await opened?.catch(() => undefined);
      if (service !== undefined) await source.close?.(service);
    },
  };
}

function isLifecycle<Service>(source: ServiceSource<Service>): source is ServiceLifecycle<Service> {
  return typeof (source as Partial<ServiceLifecycle<Service>> | undefined)?.open === 'function';
}
