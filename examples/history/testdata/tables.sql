-- A run. The first six columns are its key.
CREATE TABLE runs (
	id INTEGER PRIMARY KEY,
	revision TEXT NOT NULL, -- commit of the kernels
	device TEXT NOT NULL,
	os TEXT NOT NULL,
	options TEXT NOT NULL,
	shaders TEXT NOT NULL, -- SHA-256 of their names and hashes
	started TEXT NOT NULL, -- UTC, to the nanosecond
	digest TEXT NOT NULL, -- SHA-256 of what was measured
	added TEXT NOT NULL,
	seed TEXT NOT NULL,
	conform TEXT NOT NULL,
	exact INTEGER NOT NULL, -- the same inputs give the same bits
	gated INTEGER NOT NULL, -- times are those of a GPU
	machine TEXT NOT NULL, -- processors, where a clock on the wall times launches
	bench TEXT NOT NULL, -- settings of times; empty if there are none
	cases INTEGER NOT NULL,
	failing INTEGER NOT NULL,
	UNIQUE (revision, device, os, options, shaders, started)
);
CREATE TABLE cases (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	kernel TEXT NOT NULL,
	family TEXT NOT NULL
);
-- What a run measured of a case. The sums are those of errors as fractions of bounds;
-- they are NULL if the run did not record them.
CREATE TABLE results (
	run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
	of INTEGER NOT NULL REFERENCES cases (id), -- a case
	status TEXT NOT NULL,
	error_ratio REAL NOT NULL,
	digest TEXT NOT NULL,
	elements INTEGER NOT NULL,
	total REAL,
	outward REAL,
	squares REAL,
	ns INTEGER NOT NULL,
	seconds REAL, -- median of the samples of conform bench; NULL if there are none
	samples INTEGER NOT NULL,
	PRIMARY KEY (run, of)
) WITHOUT ROWID;
