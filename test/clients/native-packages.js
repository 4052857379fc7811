// Uses each native package once with the running version of Node, and prints this version.
import { DuckDBInstance } from '@duckdb/node-api';
import { hash } from '@node-rs/argon2';
import koffi from 'koffi';
import Libsql from 'libsql';

const duckdb = await (await DuckDBInstance.create()).connect();
const rows = await (await duckdb.runAndReadAll('select 42 as answer')).getRowsJson();
const sqlite = new Libsql(':memory:').prepare('select 42 as answer').get();
const library = process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6';
const length = koffi.load(library).func('size_t strlen(const char *)')('42 characters');
const password = await hash('password');
const { version } = process;
process.stdout.write(JSON.stringify({ version, rows, sqlite, length: Number(length), password }));
