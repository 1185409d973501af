"""What a mechanism guarantees: any mechanism and graph in, a verdict out."""
