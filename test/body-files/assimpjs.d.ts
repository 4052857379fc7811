declare module 'assimpjs' {
  interface Assimp {
    readonly FileList: new () => { AddFile(name: string, content: Uint8Array): void };
    ConvertFileList(
      files: object,
      format: string,
    ): {
      IsSuccess(): boolean;
      GetFile(index: number): { GetContent(): Uint8Array };
    };
  }
  function load(): Promise<Assimp>;
  export = load;
}
