interface ImportMetaEnv {
  /** Name of the service. */
  readonly BRAND: string;
}
