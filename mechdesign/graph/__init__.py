"""Profile graphs: networkx objects, their files, tables of data, ready-made ones."""
